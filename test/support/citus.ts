import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installProgram } from './apt-get.js';
import { type DebianPostgres, startServer } from './debian-postgres.js';
import { runSql, withDatabase } from './run-sql.js';

/** The PostgreSQL of Debian 12, which Citus 13 supports. */
const POSTGRES_VERSION = 15;
const WORKERS = 2;
const CITUS_VERSION = '13.2.2';
const SOURCE_URL = `https://github.com/citusdata/citus/archive/refs/tags/v${CITUS_VERSION}.tar.gz`;
const BIN_DIR = `/usr/lib/postgresql/${POSTGRES_VERSION}/bin`;
const EXTENSION = `/usr/share/postgresql/${POSTGRES_VERSION}/extension/citus.control`;

type Settings = Readonly<Record<string, string>>;

const SETTINGS: Settings = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  max_prepared_transactions: '400',
  max_worker_processes: '200',
  wal_level: 'logical',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  // Few shards, because each test file copies all of them.
  'citus.shard_count': '4',
  // After the failure of a worker, rows of unfinished transactions stay locked until this time. The default is one minute.
  'citus.recover_2pc_interval': '2s',
  'citus.node_conninfo': 'sslmode=disable',
};

export interface CitusCluster {
  readonly coordinator: DebianPostgres;
  readonly workers: readonly DebianPostgres[];
  stop(): void;
}

export interface CitusOptions {
  readonly workers?: number;
  /** Settings of all nodes in addition to the settings of tests, and instead of them. */
  readonly settings?: Settings;
}

/** Starts a coordinator and workers on this machine. Installs PostgreSQL and builds Citus first, if necessary. */
export async function startCitus(
  dataDir: string,
  { workers = WORKERS, settings = {} }: CitusOptions = {},
): Promise<CitusCluster> {
  await installCitus();
  chmodSync(dataDir, 0o755);
  const nodes: DebianPostgres[] = [];
  for (let index = 0; index <= workers; index++)
    nodes.push(await startNode(join(dataDir, `node-${index}`), { ...SETTINGS, ...settings }));
  const [coordinator, ...others] = nodes;
  return {
    coordinator: coordinator!,
    workers: others,
    stop: () => {
      for (const node of nodes) node.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts one server of the same version with the same settings, but without Citus. */
export async function startWithoutCitus(dataDir: string, settings: Settings): Promise<DebianPostgres> {
  await installCitus();
  chmodSync(dataDir, 0o755);
  const ofPostgres = Object.entries({ ...SETTINGS, ...settings }).filter(([name]) => !name.includes('.'));
  return startNode(dataDir, { ...Object.fromEntries(ofPostgres), shared_preload_libraries: '' });
}

/** Creates a database with Citus on all nodes. Returns the connection string on the coordinator. */
export async function createCitusDatabase({ coordinator, workers }: CitusCluster, name: string): Promise<string> {
  const nodes = [coordinator, ...workers];
  for (const node of nodes) await runSql(node.url, `CREATE DATABASE ${name}`);
  const urls = nodes.map(({ url }) => withDatabase(url, name));
  await addCitus(urls);
  return urls[0]!;
}

/** Creates the extension in the databases of a coordinator and its workers, and adds the workers to the coordinator. */
export async function addCitus([coordinator, ...workers]: readonly string[]): Promise<void> {
  for (const url of [coordinator!, ...workers]) await runSql(url, 'CREATE EXTENSION citus');
  await runSql(coordinator!, `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(coordinator!).port})`);
  for (const url of workers) await runSql(coordinator!, `SELECT citus_add_node('127.0.0.1', ${new URL(url).port})`);
}

async function startNode(dir: string, settings: Settings): Promise<DebianPostgres> {
  const node = await startServer(BIN_DIR, dir, settings);
  // The newest minor versions of PostgreSQL have this setting. Citus needs both libraries to move and to split shards.
  if ((await runSql(node.url, "SELECT FROM pg_settings WHERE name = 'output_plugin_libraries'")).length > 0) {
    await runSql(node.url, 'ALTER SYSTEM SET output_plugin_libraries = pgoutput, citus');
    await runSql(node.url, 'SELECT pg_reload_conf()');
  }
  return node;
}

/** Builds Citus from `CITUS_SOURCE` (a folder), or from its public source, unless it is installed. Takes about a minute on 2 processors. */
async function installCitus(): Promise<void> {
  if (existsSync(EXTENSION)) return;
  for (const [debianPackage, header] of [
    [`postgresql-server-dev-${POSTGRES_VERSION}`, `postgresql/${POSTGRES_VERSION}/server/postgres.h`],
    ['libkrb5-dev', 'gssapi/gssapi.h'],
    ['liblz4-dev', 'lz4.h'],
    ['libzstd-dev', 'zstd.h'],
  ] as const)
    await installProgram(debianPackage, () => existsSync(`/usr/include/${header}`));
  const dir = mkdtempSync(join(tmpdir(), 'citus-source-'));
  const shell = (command: string): void => {
    execFileSync('sh', ['-ec', command], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  try {
    const source = process.env['CITUS_SOURCE'];
    shell(source ? `cp -a "${source}/." .` : `curl --fail --silent --location ${SOURCE_URL} | tar xz --strip-components 1`);
    // The newest minor versions of PostgreSQL 15 export this function.
    shell(
      "perl -0pi -e 's/static inline bool\\nhave_createdb_privilege\\(void\\)\\n\\{.*?\\n\\}\\n//s' src/include/pg_version_compat.h",
    );
    // Newer than its source, so that make doesn't generate it again.
    shell('touch configure');
    shell(`PG_CONFIG=${BIN_DIR}/pg_config ./configure --without-libcurl && make -j2 -s && make -s install`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
