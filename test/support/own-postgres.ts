import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../libs/platform/database/src/embedded/index.js';
import { PostgresProcess } from './postgres-process.js';

/** A PostgreSQL of a test's own, that may be killed and paused. */
export interface OwnPostgres {
  readonly url: string;
  readonly server: PostgresProcess;
  stop(): Promise<void>;
}

/**
 * Starts one with an empty database, in a folder that the system user `postgres` can enter or in one of its own. What was committed
 * survives a crash; only the machine's own may lose something.
 */
export async function startOwnPostgres(
  options: { folder?: string; settings?: Record<string, string> } = {},
): Promise<OwnPostgres> {
  const dataDir = options.folder ?? (await mkdtemp(join(tmpdir(), 'own-postgres-')));
  const settings = { fsync: 'off', ...options.settings };
  const embedded = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
  const { uid, gid } = await stat(embedded.dataDir);
  return {
    url: embedded.url,
    server: await PostgresProcess.of(embedded.url, embedded.dataDir, { uid, gid }),
    stop: async () => {
      await embedded.stop();
      // It may lie elsewhere, where its user can enter.
      await Promise.all([dataDir, embedded.dataDir].map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}
