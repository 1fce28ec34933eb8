/** One attempt of one delivery. The queue contains only these fields; PostgreSQL has the other data. */
export interface DeliveryJob {
  readonly tenantId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly webhookId: string;
  /** Number that a manual retry increases, because it starts a new round of attempts. */
  readonly generation: number;
  /** Number of the attempt, counted from 1 over all rounds. */
  readonly attempt: number;
  /**
   * The time that the rate limit of the webhook booked, in milliseconds since 1970. Distinguishes the job from the earlier job without a
   * booked time.
   */
  readonly bookedForMs?: number;
  /** Delay of the attempt, in milliseconds. */
  readonly delayMs?: number;
}

/** Starts jobs that are due. */
export type DeliveryHandler = (jobs: readonly DeliveryJob[]) => void;

/** Returns the id of a job, so that the same attempt is not added twice. Bull reserves ':'. */
export const jobIdOf = ({ deliveryId, generation, attempt, bookedForMs }: DeliveryJob): string =>
  `${deliveryId}-${generation}-${attempt}${bookedForMs === undefined ? '' : `-${bookedForMs}`}`;

/**
 * Decides only when a delivery is attempted. Adding a job can fail silently, because the sweeper finds lost jobs in PostgreSQL. A job can be
 * processed twice.
 */
export abstract class DeliveryQueue {
  /** Adds jobs, in bounded time. Never rejects; resolves to the number of jobs added. */
  abstract add(jobs: readonly DeliveryJob[]): Promise<number>;

  /** Passes jobs to the handler when they are due. */
  abstract process(handler: DeliveryHandler): void;

  /** Passes no further job to the handler. */
  abstract pause(): Promise<void>;

  /** Returns the number of waiting jobs that are due. Jobs that share a Bull job count as one. */
  abstract waitingCount(): Promise<number>;

  /** Checks the queue. @throws Error if the queue can't add or process jobs */
  abstract check(): Promise<void>;

  /** Closes all connections and timers, in bounded time. */
  abstract close(): Promise<void>;
}
