import type { QueueOptions } from 'bull';
import type { RedisConnections } from '#platform/redis';

export const DELIVERIES_QUEUE = 'deliveries';

/** How Bull is set up: quick to find jobs of a killed worker, never tired of finding them, all keys in one slot of a cluster. */
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
