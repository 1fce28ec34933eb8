import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirectoryInUse, EmbeddedPostgresError } from './embedded-postgres-error.js';
import { processIdentity } from './process-identity.js';

const HEARTBEAT_MS = 5000;
/**
 * Maximum time since the last heartbeat of an owner on another host, such as a container with the same volume. After this time, the lock is
 * free.
 */
const HEARTBEAT_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 10;

interface Owner {
  pid: number;
  identity: string;
  host: string;
}

export interface ClusterLock {
  release(): Promise<void>;
}

/**
 * Locks the cluster, so that only this process starts and stops the server. Node has no flock(2), so the lock is a file that names the
 * owner. The lock is valid only while the owner's process is running.
 * @throws DataDirectoryInUse if another running process has the lock
 */
export async function lockCluster(clusterDir: string, dataDir: string): Promise<ClusterLock> {
  const path = `${clusterDir}.owner`;
  const owner: Owner = { pid: process.pid, identity: processIdentity(process.pid) ?? '', host: hostname() };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await createOwnerFile(path, owner)) return keepLock(path, owner);
    await removeIfDead(path, dataDir);
  }
  throw new EmbeddedPostgresError(`Can't acquire the lock file ${path}. Delete it if no process of this service is running.`);
}

/**
 * Writes a temporary file and links it, so that no process reads a partly written owner. Returns false if the lock already has an owner.
 */
async function createOwnerFile(path: string, owner: Owner): Promise<boolean> {
  const temporaryPath = `${path}.${randomUUID()}`;
  await writeFile(temporaryPath, JSON.stringify(owner), { mode: 0o600 });
  try {
    await link(temporaryPath, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporaryPath, { force: true });
  }
}

async function removeIfDead(path: string, dataDir: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const owner = parseOwner(text);
  if (owner && (await isAlive(owner, path))) {
    throw new DataDirectoryInUse(dataDir, owner.pid, owner.host === hostname() ? undefined : owner.host);
  }

  // If several processes find the same dead owner, only one process can rename the owner's file. If the renamed file belongs to a newer
  // owner, it is restored.
  const temporaryPath = `${path}.${randomUUID()}`;
  if (
    !(await rename(path, temporaryPath).then(
      () => true,
      () => false,
    ))
  )
    return;
  if ((await readFile(temporaryPath, 'utf8')) !== text) await link(temporaryPath, path).catch(() => undefined);
  await rm(temporaryPath, { force: true });
}

/** Returns undefined for an empty file. A power failure can leave an empty file, and also ends the owner. */
function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

async function isAlive(owner: Owner, path: string): Promise<boolean> {
  if (owner.host === hostname()) return processIdentity(owner.pid) === owner.identity;
  // The process IDs of another host can't be checked. A running owner regularly renews the modification time of the file.
  const lastHeartbeatMs = async (): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  const firstHeartbeatMs = await lastHeartbeatMs();
  if (Date.now() - firstHeartbeatMs > HEARTBEAT_TIMEOUT_MS) return false;
  await sleep(HEARTBEAT_TIMEOUT_MS);
  return (await lastHeartbeatMs()) > firstHeartbeatMs;
}

function keepLock(path: string, owner: Owner): ClusterLock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text === JSON.stringify(owner)) await rm(path, { force: true });
    },
  };
}
