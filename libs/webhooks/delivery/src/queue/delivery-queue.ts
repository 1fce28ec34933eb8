/** One attempt of one delivery: all that a queue contains. PostgreSQL has the rest. */
export interface DeliveryJob {
  readonly tenantId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly webhookId: string;
  /** Increased by a manual retry, which starts a new round of attempts. */
  readonly generation: number;
  /** Number of the attempt to make, from 1 over all rounds. */
  readonly attempt: number;
  /** The slot that the rate limit of the webhook assigned (milliseconds since 1970). Distinguishes the job from the one that got the slot. */
  readonly slot?: number;
  /** Delay of the attempt, in milliseconds. */
  readonly delayMs?: number;
}

/** Resolves when the job has released its slot. */
export type DeliveryHandler = (job: DeliveryJob) => Promise<void>;

/** Returns the id of a job, so that the same attempt is not added twice. Bull reserves ':'. */
export const jobIdOf = ({ deliveryId, generation, attempt, slot }: DeliveryJob): string =>
  `${deliveryId}-${generation}-${attempt}${slot === undefined ? '' : `-${slot}`}`;

/**
 * Decides when a delivery is attempted, and nothing else. The sweeper finds lost jobs in PostgreSQL, so adding can fail silently, and a job can
 * be processed twice.
 */
export abstract class DeliveryQueue {
  /** Adds jobs, in bounded time. Never rejects; resolves to the number of jobs added. */
  abstract add(jobs: readonly DeliveryJob[]): Promise<number>;

  /** Starts to process jobs, at most `concurrency` at once. Once per queue. */
  abstract process(concurrency: number, handler: DeliveryHandler): void;

  /** Starts no further job; jobs in progress continue. */
  abstract pause(): Promise<void>;

  /** Returns how many jobs without a delay wait; a batch counts as one. */
  abstract waitingCount(): Promise<number>;

  /** @throws Error when the queue can't add or process jobs */
  abstract check(): Promise<void>;

  /** Closes all connections and timers, in bounded time. */
  abstract close(): Promise<void>;
}
