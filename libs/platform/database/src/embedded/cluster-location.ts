import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { chooseServerAccount, runAs, type ServerAccount } from './server-account.js';
import { SYSTEM_DATA_DIR } from './server-binaries.js';

export interface ClusterLocation {
  /** Path of the cluster, without symlinks. */
  clusterDir: string;
  account: ServerAccount | undefined;
}

/** Creates the data directory. If this process is root, the system user can enter the directory but can't list its files. */
export async function createDataDir(dataDir: string): Promise<string> {
  if (!(await exists(dataDir))) {
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  }
  return realpath(dataDir);
}

/** Returns the path of the data directory's cluster, even if the cluster does not exist. Creates nothing. */
export async function knownClusterDir(dataDir: string): Promise<string> {
  const clusterDir = (await recordedClusterDir(dataDir)) ?? join(dataDir, 'postgres');
  return realpath(clusterDir).catch(() => clusterDir);
}

/**
 * Returns the directory of the cluster and the user that runs the cluster. The directory is `<dataDir>/postgres`. If this process is root
 * and the system user can't enter the data directory, the cluster is in /var/lib/identity-service. The data directory then contains a file
 * with this path.
 * @throws EmbeddedPostgresError if a cluster exists but can't be used
 */
export async function locateCluster(dataDir: string, log: (line: string) => void): Promise<ClusterLocation> {
  const clusterDir = await knownClusterDir(dataDir);
  const account = await chooseServerAccount(clusterDir);
  if (await recordedClusterDir(dataDir)) {
    if (await exists(clusterDir)) return { clusterDir, account };
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} is stored in ${clusterDir}, which does not exist. Restore that folder, or delete ${pathFile(dataDir)} to start with an empty database.`,
    );
  }
  if (account === undefined || (await canEnter(account, dataDir))) return { clusterDir, account };
  if (await exists(join(clusterDir, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and the owner of ${clusterDir} (user id ${account.uid}) has no access to that folder. Run chmod o+x on its parent folders.`,
    );
  }
  return { clusterDir: await chooseSystemDir(dataDir, log), account };
}

async function chooseSystemDir(dataDir: string, log: (line: string) => void): Promise<string> {
  const preferredDir = join(SYSTEM_DATA_DIR, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  let clusterDir = preferredDir;
  // An existing directory belongs to a deleted data directory with the same path. Its password is lost, so the cluster gets another
  // directory.
  for (let copy = 2; await exists(clusterDir); copy += 1) clusterDir = `${preferredDir}-${copy}`;
  await mkdir(clusterDir, { recursive: true, mode: 0o755 });
  await writeFile(pathFile(dataDir), `${clusterDir}\n`, { mode: 0o600, flush: true });
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

async function recordedClusterDir(dataDir: string): Promise<string | undefined> {
  const path = await readFile(pathFile(dataDir), 'utf8').catch(() => undefined);
  return path?.trim() || undefined;
}

function pathFile(dataDir: string): string {
  return join(dataDir, 'postgres.place');
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
