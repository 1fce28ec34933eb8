import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { chooseServerAccount, runAs, type ServerAccount } from './server-account.js';
import { SYSTEM_DATA_DIR } from './server-binaries.js';

export interface ClusterLocation {
  /** The real path of the cluster, with no symlinks in it. */
  clusterDir: string;
  account: ServerAccount | undefined;
}

/** Makes the data directory; as root it may be passed through (not listed) by the system user, and its files stay closed. */
export async function createDataDir(dataDir: string): Promise<string> {
  if (!(await exists(dataDir))) {
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  }
  return realpath(dataDir);
}

/** Where the cluster of this (real) data directory lies, or would lie as far as is known without making anything. */
export async function knownClusterDir(dataDir: string): Promise<string> {
  const clusterDir = (await rememberedClusterDir(dataDir)) ?? join(dataDir, 'postgres');
  return realpath(clusterDir).catch(() => clusterDir);
}

/**
 * Decides where the cluster lives and as whom it runs. It is `<dataDir>/postgres`, except for root in a folder that the system
 * user can't enter: then below /var/lib/identity-service, and a file in the data directory remembers it.
 * @throws EmbeddedPostgresError when a cluster exists but can't be reached.
 */
export async function locateCluster(dataDir: string, log: (line: string) => void): Promise<ClusterLocation> {
  const clusterDir = await knownClusterDir(dataDir);
  const account = await chooseServerAccount(clusterDir);
  if (await rememberedClusterDir(dataDir)) {
    if (await exists(clusterDir)) return { clusterDir, account };
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} is stored in ${clusterDir}, which does not exist. Restore that folder, or delete ${placeFile(dataDir)} to start with an empty database.`,
    );
  }
  if (account === undefined || (await canEnter(account, dataDir))) return { clusterDir, account };
  if (await exists(join(clusterDir, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and the owner of ${clusterDir} (user id ${account.uid}) has no access to that folder. Run chmod o+x on its parent folders.`,
    );
  }
  return { clusterDir: await moveOut(dataDir, log), account };
}

async function moveOut(dataDir: string, log: (line: string) => void): Promise<string> {
  const wanted = join(SYSTEM_DATA_DIR, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  let clusterDir = wanted;
  // A place that is taken belongs to an earlier data directory of the same name, and with its password went its use.
  for (let copy = 2; await exists(clusterDir); copy += 1) clusterDir = `${wanted}-${copy}`;
  await mkdir(clusterDir, { recursive: true, mode: 0o755 });
  await writeFile(placeFile(dataDir), `${clusterDir}\n`, { mode: 0o600, flush: true });
  log(`The system user of PostgreSQL has no access to ${dataDir}, so the database is stored in ${clusterDir}`);
  return clusterDir;
}

async function canEnter(account: ServerAccount, directory: string): Promise<boolean> {
  try {
    return (await runAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory])).exitCode === 0;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and this process is not allowed to switch to user id ${account.uid}. Start the service as another user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

async function rememberedClusterDir(dataDir: string): Promise<string | undefined> {
  const place = await readFile(placeFile(dataDir), 'utf8').catch(() => undefined);
  return place?.trim() || undefined;
}

function placeFile(dataDir: string): string {
  return join(dataDir, 'postgres.place');
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
