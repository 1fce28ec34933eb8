import { type AppConfig, configWith } from '#platform/config';
import { loadOrCreateSecretsKey, secretsKeyPath } from '#platform/crypto';
import { DistributionError, runMigrations, startEmbeddedPostgres, waitForDatabase } from '#platform/database';
import type { AppLogger } from '#platform/observability';
import { assertKeysComplete } from './resealing/assert-keys-complete.js';
import type { Shutdown } from './shutdown.js';
import { StartFailure } from './start-failure.js';
import { waitForRedis } from './wait-for-redis.js';

const WAIT_TIMEOUT_MS = 30_000;
const MIN_CONNECTIONS = 200;
const MAINTENANCE_CONNECTIONS = 20;

/**
 * Waits for the database and Redis, migrates the database, loads the keys for secrets and checks them. Starts an embedded PostgreSQL if `DATABASE_URL` is
 * not set. Returns the configuration with the URL of the database and the keys.
 * @throws StartFailure, EmbeddedPostgresError
 */
export async function openStores(config: AppConfig, logger: AppLogger, shutdown: Shutdown): Promise<AppConfig> {
  const log = (line: string) => logger.log(line);
  const databaseUrl = config.databaseUrl ?? (await startEmbeddedDatabase(config, log, shutdown));
  const hasOwnKeys = config.secretsKeys.length > 0;
  const secretsKeys = hasOwnKeys ? config.secretsKeys : await asStartFailure(loadOrCreateSecretsKey(config.dataDir));
  await asStartFailure(waitForDatabase(databaseUrl, WAIT_TIMEOUT_MS, log));
  if (config.redisUrls.length > 0) await waitForRedis(config.redisUrls, WAIT_TIMEOUT_MS, log);
  const distribution = config.databaseDistributed && 'small';
  await asStartFailure(runMigrations(databaseUrl, { distribution, log }), DistributionError);
  const source = hasOwnKeys ? 'SECRETS_KEY' : secretsKeyPath(config.dataDir);
  await assertKeysComplete(databaseUrl, secretsKeys, source);
  return configWith(config, { databaseUrl, secretsKeys });
}

async function startEmbeddedDatabase(config: AppConfig, log: (line: string) => void, shutdown: Shutdown): Promise<string> {
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    settings: { max_connections: connectionsFor(config) },
  });
  shutdown.add('embedded PostgreSQL', () => server.stop());
  return server.url;
}

/**
 * Returns the maximum number of connections: the pools of all processes, one connection per process for notifications, and some
 * for maintenance.
 */
function connectionsFor({ workers, databasePoolSize }: AppConfig): string {
  return String(Math.max(MIN_CONNECTIONS, workers * (databasePoolSize + 1) + MAINTENANCE_CONNECTIONS));
}

/** Converts errors of a class, which have a message for the operator, to a `StartFailure`. */
async function asStartFailure<T>(work: Promise<T>, errorClass: new () => Error = Error): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof errorClass)) throw error;
    throw new StartFailure(error.message, { cause: error });
  }
}
