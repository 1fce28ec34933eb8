import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirectoryInUse, EmbeddedPostgresError } from './embedded-postgres-error.js';
import { processIdentity } from './process-identity.js';

const HEARTBEAT_MS = 5000;
/** How long an owner on another host (a container with the same volume) counts as alive after its last heartbeat. */
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
 * Locks the cluster, so that only this process starts and stops it. Node has no flock(2), so the lock is a file that names its owner. It
 * is valid only while the process of the owner is alive.
 * @throws DataDirectoryInUse if another live process has the lock
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

/** Writes a temporary file and links it, so that no process reads a partly written owner. Returns false if there is an owner. */
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

  // If several processes find the same dead owner, only one process can rename the owner's file. The file of a newer owner is restored.
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

/** Returns undefined for a file that is empty after a power failure, which also ended its owner. */
function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

async function isAlive(owner: Owner, path: string): Promise<boolean> {
  if (owner.host === hostname()) return processIdentity(owner.pid) === owner.identity;
  // Process IDs of another host can't be checked. A live owner renews the modification time of the file.
  const lastHeartbeatMs = async (): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  const seenMs = await lastHeartbeatMs();
  if (Date.now() - seenMs > HEARTBEAT_TIMEOUT_MS) return false;
  await sleep(HEARTBEAT_TIMEOUT_MS);
  return (await lastHeartbeatMs()) > seenMs;
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
