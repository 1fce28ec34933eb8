import { type AppConfig, configWith } from '#platform/config';
import { loadOrCreateSecretsKey } from '#platform/crypto';
import { runMigrations, startEmbeddedPostgres, waitForDatabase } from '#platform/database';
import type { AppLogger } from '#platform/observability';
import type { Shutdown } from './shutdown.js';
import { StartFailure } from './start-failure.js';
import { waitForRedis } from './wait-for-redis.js';

const WAIT_LIMIT_MS = 30_000;
const LEAST_CONNECTIONS = 200;
const MAINTENANCE_CONNECTIONS = 20;

/**
 * Makes sure that the database (with the schema of this release), Redis and the keys that seal secrets are there, starting an embedded
 * PostgreSQL when none is given. Gives the configuration completed by what was found.
 * @throws StartFailure, EmbeddedPostgresError
 */
export async function openStores(config: AppConfig, logger: AppLogger, shutdown: Shutdown): Promise<AppConfig> {
  const log = (line: string) => logger.log(line);
  const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, log, shutdown));
  const secretsKeys =
    config.secretsKeys.length > 0 ? config.secretsKeys : await inOneLine(loadOrCreateSecretsKey(config.dataDir));
  await inOneLine(waitForDatabase(databaseUrl, WAIT_LIMIT_MS, log));
  if (config.redisUrls.length > 0) await waitForRedis(config.redisUrls, WAIT_LIMIT_MS, log);
  await runMigrations(databaseUrl);
  return configWith(config, { databaseUrl, secretsKeys });
}

async function startOwnDatabase(config: AppConfig, log: (line: string) => void, shutdown: Shutdown): Promise<string> {
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    settings: { max_connections: connectionsFor(config) },
  });
  shutdown.add('embedded PostgreSQL', () => server.stop());
  return server.url;
}

/** What all processes may open together: their pools, the connection on which each hears notifications, and some for maintenance. */
function connectionsFor({ workers, databasePoolSize }: AppConfig): string {
  return String(Math.max(LEAST_CONNECTIONS, workers * (databasePoolSize + 1) + MAINTENANCE_CONNECTIONS));
}

/** For steps whose errors are already made for the operator. */
async function inOneLine<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StartFailure((error as Error).message, { cause: error });
  }
}
