import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runAs, type ServerAccount } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';

export const SUPERUSER = 'postgres';

/**
 * Makes a new cluster, aside and renamed into place: an initdb that is killed half-way leaves nothing that looks like a
 * cluster. The built-in C.UTF-8 provider orders by code point and knows upper and lower case of all of Unicode, and unlike
 * the system's locales it is the same on every machine.
 * @throws EmbeddedPostgresError with the first line of what initdb complained about (a full disk, say).
 */
export async function initialiseCluster(
  binaries: ServerBinaries,
  clusterDir: string,
  account: ServerAccount | undefined,
  password: string,
): Promise<void> {
  const aside = `${clusterDir}.new`;
  const passwordFile = `${clusterDir}.initial-password`;
  try {
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account) await Promise.all([aside, passwordFile].map((path) => chown(path, account.uid, account.gid)));
    const result = await runAs(account, binaries.initdb, [
      `--pgdata=${aside}`,
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
      throw new EmbeddedPostgresError(`Creating the database in ${clusterDir} failed: ${complaint(result.stderr)}`);
    await rename(aside, clusterDir);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`Creating the database in ${clusterDir} failed: ${String(error)}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function complaint(stderr: string): string {
  const lines = stderr.split('\n').filter(Boolean);
  const line = lines.find((text) => /(?:FATAL|PANIC|error): /.test(text)) ?? lines.at(-1) ?? 'initdb printed no output';
  const hint = lines.find((text) => text.includes('HINT: '))?.replace(/^.*HINT: +/, '');
  return [line.replace(/^.*?(?:FATAL|PANIC|error): +/, ''), hint].filter(Boolean).join('. ');
}
