import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirectoryInUse, EmbeddedPostgresError } from './embedded-postgres-error.js';
import { processIdentity } from './process-identity.js';

const HEARTBEAT_MS = 5000;
/** How long a silent owner on another host (a container sharing the volume) counts as alive. */
const HEARTBEAT_PATIENCE_MS = 15_000;
const ATTEMPTS = 10;

interface Owner {
  pid: number;
  identity: string;
  host: string;
}

export interface ClusterLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only one that starts and stops the cluster. Node has no flock(2), so the lock is a file that names
 * its owner and is believed only while that very process lives.
 * @throws DataDirectoryInUse when another live process holds it.
 */
export async function lockCluster(clusterDir: string, dataDir: string): Promise<ClusterLock> {
  const path = `${clusterDir}.owner`;
  const owner: Owner = { pid: process.pid, identity: processIdentity(process.pid) ?? '', host: hostname() };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await createOwnerFile(path, owner)) return holdLock(path, owner);
    await removeIfDead(path, dataDir);
  }
  throw new EmbeddedPostgresError(`Can't acquire the lock file ${path}. Delete it if no process of this service is running.`);
}

/** Written aside and linked into place, so that nobody ever reads a half-written owner. */
async function createOwnerFile(path: string, owner: Owner): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`;
  await writeFile(aside, JSON.stringify(owner), { mode: 0o600 });
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function removeIfDead(path: string, dataDir: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const owner = parseOwner(text);
  if (owner && (await isAlive(owner, path))) {
    throw new DataDirectoryInUse(dataDir, owner.pid, owner.host === hostname() ? undefined : owner.host);
  }

  // Renaming decides who removes it when several processes find the same dead owner; a newer owner caught by it is put back.
  const aside = `${path}.${randomUUID()}`;
  if (
    !(await rename(path, aside).then(
      () => true,
      () => false,
    ))
  )
    return;
  if ((await readFile(aside, 'utf8')) !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Undefined for a file that a power cut left empty: its owner is gone, too. */
function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

async function isAlive(owner: Owner, path: string): Promise<boolean> {
  if (owner.host === hostname()) return processIdentity(owner.pid) === owner.identity;
  // Process ids of another host mean nothing here; the file's time, which a live owner keeps renewing, does.
  const beat = async (): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  const seenMs = await beat();
  if (Date.now() - seenMs > HEARTBEAT_PATIENCE_MS) return false;
  await sleep(HEARTBEAT_PATIENCE_MS);
  return (await beat()) > seenMs;
}

function holdLock(path: string, owner: Owner): ClusterLock {
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
