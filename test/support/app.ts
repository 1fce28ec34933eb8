import { randomBytes } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PlatformKeysService } from '#identity/auth';
import { type AppConfig, configWith, loadConfig, type Settings } from '#platform/config';
import './verify-rows.js';
import { createApp } from '../../apps/server/src/setup-app.js';
import { TestClient } from './http-client.js';
import { measured } from './jest/file-time.mjs';
import { openPool } from './pool.js';
import { createTestDatabase, TEST_DISTRIBUTION } from './postgres.js';
import { hashQuickly } from './quick-password-hasher.js';

/** A running service with a separate port and database. `await using` closes the service at the end of the block. */
export interface TestApp extends AsyncDisposable {
  url: string;
  config: AppConfig;
  app: NestExpressApplication;
  api: {
    platform: TestClient;
    as(credential: string): TestClient;
    anonymous: TestClient;
  };
  platformKey: string;
  database: { query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<Row[]> };
  /** Returns the types of all events, in the order of insertion. */
  eventTypes(): Promise<string[]>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** The cost of password hashing. Only tests of the cost use `production`. */
  passwordCost?: 'quick' | 'production';
}

/**
 * Starts the service for a test file. With `databaseUrl`, starts a second service on the database of a first service, and does not drop the database.
 * The second service requires the `platformApiKey` and `secretsKeys` of the first service.
 */
export async function startApp(
  overrides: Partial<Settings> = {},
  { passwordCost = 'quick' }: TestAppOptions = {},
): Promise<TestApp> {
  const own = overrides.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const config = configWith(loadConfig({ LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent' }), {
    port: 0,
    host: '127.0.0.1',
    databaseUrl: own?.url,
    // The minimum of the configuration. Each connection of a file plans its statements anew.
    databasePoolSize: 4,
    databaseDistributed: TEST_DISTRIBUTION,
    secretsKeys: [randomBytes(32)],
    // No DNS server answers. Tests of domains start their own.
    dnsServers: ['127.0.0.1:9'],
    platformApiKey: `test-platform-${randomBytes(24).toString('hex')}`,
    ...overrides,
  });
  const app = await measured('start the service', () => createApp(config));
  if (passwordCost === 'quick') hashQuickly(app);
  const platformKey = await measured('start the service', () => startListening(app, config)).catch(async (error: unknown) => {
    // Stops the partly started service. Otherwise the service would run during later tests.
    await app.close();
    await own?.drop();
    throw error;
  });
  const url = await app.getUrl();
  const pool = openPool(config.databaseUrl, 2);
  const query = async <Row>(sql: string, parameters: unknown[] = []) => (await pool.query(sql, parameters)).rows as Row[];
  const close = async (): Promise<void> => {
    // A connection whose request was answered before its body was read is not idle, and stays open for the keep-alive timeout.
    app.getHttpServer().closeAllConnections();
    await app.close();
    await pool.end();
    await own?.drop();
  };
  return {
    url,
    config,
    app,
    api: {
      platform: new TestClient(url, platformKey),
      as: (credential) => new TestClient(url, credential),
      anonymous: new TestClient(url),
    },
    platformKey,
    database: { query },
    eventTypes: async () => (await query<{ type: string }>('SELECT type FROM events ORDER BY seq')).map(({ type }) => type),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Starts the application and returns the platform key. */
async function startListening(app: NestExpressApplication, config: AppConfig): Promise<string> {
  await app.init();
  const newKey = await app.get(PlatformKeysService).ensure();
  await app.listen(config.port, config.host);
  return newKey ?? config.platformApiKey ?? '';
}
