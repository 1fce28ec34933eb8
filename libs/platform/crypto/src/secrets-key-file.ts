import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BadValue, parseSecretsKeys } from '#platform/config';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Returns the path of the file with the encryption keys. */
export const secretsKeyPath = (dataDir: string): string => join(dataDir, 'secrets.key');

/**
 * Reads the encryption keys from `<dataDir>/secrets.key`. Creates a missing file with a random key. Used with the embedded PostgreSQL if
 * SECRETS_KEY is not set. Processes that start at the same time use the same key.
 * @throws Error if the file contains no keys: with a new key, encrypted secrets would be unreadable
 */
export async function loadOrCreateSecretsKey(dataDir: string): Promise<Buffer[]> {
  const path = secretsKeyPath(dataDir);
  await mkdir(dataDir, { recursive: true });
  if ((await readIfExists(path)) === undefined) await createKeyFile(dataDir, path);
  const { mode } = await stat(path);
  if ((mode & OTHERS) !== 0) await chmod(path, OWNER_ONLY);
  return parseKeys(path, await readFile(path, 'utf8'));
}

/**
 * Writes a temporary file and links it to `path`. A process therefore never reads a partly written key and never replaces an existing key.
 */
async function createKeyFile(dataDir: string, path: string): Promise<void> {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeAndFlush(temporaryPath, `${randomBytes(32).toString('base64')}\n`);
    await link(temporaryPath, path);
    await flush(dataDir);
  } catch (error) {
    // Another process created the file first. This process uses the key in this file.
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    await rm(temporaryPath, { force: true });
  }
}

// Stryker disable BlockStatement: tests can detect neither data loss in a power failure nor a file that stays open
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

function parseKeys(path: string, text: string): Buffer[] {
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

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isSystemError(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
