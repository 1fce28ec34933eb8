/** "Try this attempt of this delivery": all that a queue ever holds. PostgreSQL has the rest. */
export interface DeliveryJob {
  readonly tenantId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly webhookId: string;
  /** Raised by a retry by hand, which begins a new round of attempts. */
  readonly generation: number;
  /** Number of the attempt to make, from 1 over all rounds. */
  readonly attempt: number;
  /** The slot that the webhook's rate limit gave it (milliseconds since 1970): the job is another one than that which took the slot. */
  readonly slot?: number;
  /** How long to wait before it, in milliseconds. */
  readonly delayMs?: number;
}

/** Resolves when the job needs its place no more. */
export type DeliveryHandler = (job: DeliveryJob) => Promise<void>;

/** The same work under one name, so that a job that is there already is not added twice. Without ':', which Bull keeps for itself. */
export const jobIdOf = ({ deliveryId, generation, attempt, slot }: DeliveryJob): string =>
  `${deliveryId}-${generation}-${attempt}${slot === undefined ? '' : `-${slot}`}`;

/**
 * Says when to try a delivery, and nothing else. Whatever it loses the sweeper finds again in PostgreSQL, so adding may fail silently
 * and a job may come twice.
 */
export abstract class DeliveryQueue {
  /** Takes jobs, in bounded time. Never rejects; gives how many it took. */
  abstract add(jobs: readonly DeliveryJob[]): Promise<number>;

  /** Begins to hand jobs out, at most `concurrency` at once. Once per queue. */
  abstract process(concurrency: number, handler: DeliveryHandler): void;

  /** Hands out no further job; those under way go on. */
  abstract pause(): Promise<void>;

  /** How many jobs wait to be handed out right now (not those with a delay); jobs that are kept together count as one. */
  abstract waitingCount(): Promise<number>;

  /** @throws Error when the queue can't take or give jobs */
  abstract check(): Promise<void>;

  /** Lets go of all connections and timers, in bounded time. */
  abstract close(): Promise<void>;
}
