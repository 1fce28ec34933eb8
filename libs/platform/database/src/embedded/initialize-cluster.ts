import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runAs, type ServerAccount } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';

export const SUPERUSER = 'postgres';

/**
 * Creates a cluster in a temporary directory and renames the directory. A killed initdb therefore leaves no partly created cluster. The
 * built-in locale C.UTF-8 sorts by code point and supports upper and lower case in Unicode. It is the same on all machines, unlike system
 * locales.
 * @throws EmbeddedPostgresError with the first error of initdb, such as a full disk
 */
export async function initializeCluster(
  binaries: ServerBinaries,
  clusterDir: string,
  account: ServerAccount | undefined,
  password: string,
): Promise<void> {
  const temporaryDir = `${clusterDir}.new`;
  const passwordFile = `${clusterDir}.initial-password`;
  try {
    await rm(temporaryDir, { recursive: true, force: true });
    await mkdir(temporaryDir, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account) await Promise.all([temporaryDir, passwordFile].map((path) => chown(path, account.uid, account.gid)));
    const result = await runAs(account, binaries.initdb, [
      `--pgdata=${temporaryDir}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]);
    if (result.exitCode !== 0)
      throw new EmbeddedPostgresError(`Creating the database in ${clusterDir} failed: ${firstError(result.stderr)}`);
    await rename(temporaryDir, clusterDir);
  } catch (error) {
    await rm(temporaryDir, { recursive: true, force: true });
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`Creating the database in ${clusterDir} failed: ${String(error)}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function firstError(stderr: string): string {
  const lines = stderr.split('\n').filter(Boolean);
  const line = lines.find((text) => /(?:FATAL|PANIC|error): /.test(text)) ?? lines.at(-1) ?? 'initdb printed no output';
  const hint = lines.find((text) => text.includes('HINT: '))?.replace(/^.*HINT: +/, '');
  return [line.replace(/^.*?(?:FATAL|PANIC|error): +/, ''), hint].filter(Boolean).join('. ');
}
