import { RedisConnections } from '#platform/redis';

/** Connections as Bull needs them: it waits for Redis as long as it takes, and does not ask a loading server whether it is ready. */
export const bullConnections = (urls: readonly string[]): RedisConnections =>
  new RedisConnections(
    urls,
    { maxRetriesPerRequest: null, enableReadyCheck: false },
    'Until then, deliveries stay in PostgreSQL.',
  );
