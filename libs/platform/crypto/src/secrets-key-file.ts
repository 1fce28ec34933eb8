import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BadValue, parseSecretsKeys } from '#platform/config';

const OWNER_ONLY = 0o600;
const FOR_OTHERS = 0o077;

/**
 * Reads the keys that seal secrets from `<dataDir>/secrets.key`, and makes the file with one random key when there is none.
 * For the embedded mode, where no SECRETS_KEY is given. Processes that start together end up with the same key.
 *
 * @throws Error when the file is there but holds no keys: a new one would make all sealed secrets unreadable
 */
export async function loadOrCreateSecretsKey(dataDir: string): Promise<Buffer[]> {
  const path = join(dataDir, 'secrets.key');
  await mkdir(dataDir, { recursive: true });
  if ((await readIfThere(path)) === undefined) await createKeyFile(dataDir, path);
  const { mode } = await stat(path);
  if ((mode & FOR_OTHERS) !== 0) await chmod(path, OWNER_ONLY);
  return keysIn(path, await readFile(path, 'utf8'));
}

/** Written whole and flushed under another name, then linked: the name never leads to half a key, and never to a second one. */
async function createKeyFile(dataDir: string, path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeAndFlush(draft, `${randomBytes(32).toString('base64')}\n`);
    await link(draft, path);
    await flush(dataDir);
  } catch (error) {
    // Another process was faster; its key counts.
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

// Stryker disable BlockStatement: no test sees what a loss of power would lose, nor a file that stays open
async function writeAndFlush(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flush(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// Stryker restore BlockStatement

function keysIn(path: string, text: string): Buffer[] {
  try {
    const keys = parseSecretsKeys(text);
    if (keys.length > 0) return keys;
    throw new BadValue('a 32-byte key in base64', 'it is empty');
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new Error(
      `${path} ${error.message}. Restore it from a backup: without its key, the secrets that are encrypted with it can't be decrypted.`,
      {
        cause: error,
      },
    );
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Errors of the file system have a code; nothing else is thrown here. */
function isSystemError(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
