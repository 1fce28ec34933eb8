import type { QueueOptions } from 'bull';
import { RedisConnections } from '#platform/redis';

export const DELIVERIES_QUEUE = 'deliveries';

/**
 * Returns the settings of Bull. Jobs of a killed worker are found soon and can be restarted any number of times, and all keys are in one
 * slot of a cluster.
 */
export function bullSettings(connections: RedisConnections, serviceName: string): QueueOptions {
  return {
    createClient: () => connections.open(),
    prefix: `{${serviceName}}`,
    settings: {
      lockDuration: 20_000,
      stalledInterval: 5_000,
      maxStalledCount: 1_000_000,
      guardInterval: 5_000,
      retryProcessDelay: 500,
    },
  };
}

/** Opens connections as Bull needs them: without a limit of retries and without a ready check. */
export const bullConnections = (urls: readonly string[]): RedisConnections =>
  new RedisConnections(
    urls,
    { maxRetriesPerRequest: null, enableReadyCheck: false },
    'Until then, deliveries stay in PostgreSQL.',
  );
