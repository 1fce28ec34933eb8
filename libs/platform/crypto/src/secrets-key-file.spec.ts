import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BadValue } from '#platform/config';
import { loadOrCreateSecretsKey } from './secrets-key-file.js';

describe('loadOrCreateSecretsKey', () => {
  let directory: string;
  let dataDir: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secrets-key-'));
    dataDir = join(directory, 'data');
    path = join(dataDir, 'secrets.key');
  });

  afterEach(() => rm(directory, { recursive: true }));

  const permissions = async () => ((await stat(path)).mode & 0o777).toString(8);

  it('creates a key file that only the owner can read', async () => {
    const made = await loadOrCreateSecretsKey(dataDir);

    expect(made.map((key) => key.length)).toEqual([32]);
    expect(await permissions()).toBe('600');
    expect(await readdir(dataDir)).toEqual(['secrets.key']);
    expect(await loadOrCreateSecretsKey(dataDir)).toEqual(made);
  });

  it('returns a single key to simultaneous callers', async () => {
    for (let round = 0; round < 20; round += 1) {
      const sharedDir = join(dataDir, String(round));
      const keys = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          await setTimeout(index % 4);
          return loadOrCreateSecretsKey(sharedDir);
        }),
      );

      expect(new Set(keys.map(([key]) => key?.toString('hex'))).size).toBe(1);
      expect(await readdir(sharedDir)).toEqual(['secrets.key']);
    }
  });

  it('limits the file permissions to the owner', async () => {
    await loadOrCreateSecretsKey(dataDir);
    await chmod(path, 0o644);

    await loadOrCreateSecretsKey(dataDir);

    expect(await permissions()).toBe('600');
  });

  it.each([
    ['', /secrets\.key must be a 32-byte key in base64 \(it is empty\)\. Restore it from a backup/],
    ['damaged\n', /secrets\.key must be .*Restore it from a backup/],
  ])('rejects a file that contains %j', async (text, message) => {
    await loadOrCreateSecretsKey(dataDir);
    await writeFile(path, text);

    const load = loadOrCreateSecretsKey(dataDir);
    await expect(load).rejects.toThrow(message);
    await expect(load).rejects.toHaveProperty('cause', expect.any(BadValue));
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('parses several keys and ignores whitespace', async () => {
    await mkdir(dataDir);
    const keys = [randomBytes(32), randomBytes(32)];
    await writeFile(path, ` ${keys.map((key) => key.toString('base64')).join(',')}\n\n`, { mode: 0o600 });
    expect(await loadOrCreateSecretsKey(dataDir)).toEqual(keys);
  });

  it('keeps the mode of a read-only file', async () => {
    await loadOrCreateSecretsKey(dataDir);
    await chmod(path, 0o400);
    await loadOrCreateSecretsKey(dataDir);
    expect(await permissions()).toBe('400');
  });

  it('leaves no temporary file after an error', async () => {
    await mkdir(path, { recursive: true });
    const before = await permissions();
    await expect(loadOrCreateSecretsKey(dataDir)).rejects.toMatchObject({ code: 'EISDIR' });
    expect([await readdir(dataDir), await permissions()]).toEqual([['secrets.key'], before]);
    await writeFile(join(directory, 'file'), '');
    await expect(loadOrCreateSecretsKey(join(directory, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    // No user can create a file in /proc/self, not even root.
    await expect(loadOrCreateSecretsKey('/proc/self')).rejects.toMatchObject({ syscall: 'open' });
  });
});
