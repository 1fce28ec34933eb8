import type { QueueOptions } from 'bull';
import type { RedisConnections } from '#platform/redis';

export const DELIVERIES_QUEUE = 'deliveries';

/** Settings of Bull: finds the jobs of a killed worker soon and any number of times, and has all keys in one slot of a cluster. */
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
