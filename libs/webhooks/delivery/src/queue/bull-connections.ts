import { RedisConnections } from '#platform/redis';

/** Opens connections as Bull needs them: without a limit of retries and without a ready check. */
export const bullConnections = (urls: readonly string[]): RedisConnections =>
  new RedisConnections(
    urls,
    { maxRetriesPerRequest: null, enableReadyCheck: false },
    'Until then, deliveries stay in PostgreSQL.',
  );
