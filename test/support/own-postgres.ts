import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../libs/platform/database/src/embedded/index.js';
import { PostgresProcess } from './postgres-process.js';

/**
 * Starts a server, which a test can kill and pause, with an empty database in `folder` or in a temporary folder. The system user `postgres` requires access to `folder`. Committed data
 * is durable after a crash of the server, but not after a crash of the machine.
 */
export async function startOwnPostgres(options: { folder?: string; settings?: Record<string, string> } = {}) {
  const dataDir = options.folder ?? (await mkdtemp(join(tmpdir(), 'own-postgres-')));
  const settings = { fsync: 'off', unix_socket_directories: '', ...options.settings };
  const embedded = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
  const { uid, gid } = await stat(embedded.dataDir);
  return {
    url: embedded.url,
    server: await PostgresProcess.of(embedded.url, embedded.dataDir, { uid, gid }),
    stop: async () => {
      await embedded.stop();
      // `embedded.dataDir` can differ from `dataDir`.
      await Promise.all([dataDir, embedded.dataDir].map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}
