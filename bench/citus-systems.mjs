import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCitus, startWithoutCitus } from '../test/support/citus.ts';
import { createDistributedDatabase } from '../test/support/test-citus.ts';
import { createDatabase } from './stores.mjs';

const DATABASE = 'bench_citus';
/** All servers have the same settings and wait for the disk, as in production. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  max_connections: '300',
  max_prepared_transactions: '300',
  'citus.shard_count': '32',
};

/** The systems that are compared: one PostgreSQL, and Citus with one and with two workers. `open` returns the running system. */
export const SYSTEMS = [
  { name: 'one PostgreSQL', open: openPostgres },
  { name: 'Citus, 1 worker', open: () => openCitus(1) },
  { name: 'Citus, 2 workers', open: () => openCitus(2) },
];

async function openPostgres() {
  const dir = newDirectory();
  const server = await startWithoutCitus(dir, SETTINGS);
  const close = () => {
    server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { url: await createDatabase(server.url, DATABASE), environment: {}, close };
}

async function openCitus(workers) {
  const cluster = await startCitus(newDirectory(), { workers, settings: SETTINGS });
  const url = await createDistributedDatabase(cluster, DATABASE);
  return { url, cluster, environment: { DATABASE_DISTRIBUTED: 'citus' }, close: () => cluster.stop() };
}

/** The system account of PostgreSQL can read this directory. */
const newDirectory = () => mkdtempSync(join(tmpdir(), 'bench-citus-'));
