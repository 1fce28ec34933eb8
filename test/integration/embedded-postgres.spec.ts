import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from '../../libs/platform/database/src/embedded/index.js';
import { runSql } from '../support/run-sql.js';

const support = join(import.meta.dirname, '../support');

/** Starts a second process on the data directory. `waitForLine(word)` resolves to the rest of the first line that begins with the word. */
function startProcess(dataDir: string): { child: ChildProcessWithoutNullStreams; waitForLine(word: string): Promise<string> } {
  const child = spawn(
    process.execPath,
    ['--import', join(support, 'register-typescript.mjs'), join(support, 'embedded-postgres-process.ts'), dataDir],
    { stdio: 'pipe', detached: true },
  );
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const waitForLine = async (word: string): Promise<string> => {
    for (;;) {
      const line = lines.find((text) => text.startsWith(word));
      if (line !== undefined) return line.slice(word.length).trim();
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`It ended without "${word}": ${lines.join('\n')}`);
      await Promise.race([once(reader, 'line'), once(child, 'exit')]);
    }
  };
  return { child, waitForLine };
}

describe('the embedded PostgreSQL', () => {
  let folder: string;
  let dataDir: string;
  const logged: string[] = [];
  const start = (settings: Record<string, string> = { fsync: 'off' }) =>
    startEmbeddedPostgres({ dataDir, settings, log: (line) => logged.push(line) });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
    await chmod(folder, 0o755);
    // The path exceeds the maximum length of a Unix socket. The startup creates the folder.
    dataDir = join(folder, 'a-rather-long-folder-name-'.repeat(5));
  });
  afterEach(async () => {
    if (await findRunningEmbeddedPostgres(dataDir)) await (await start()).stop();
    await rm(folder, { recursive: true, force: true });
    logged.length = 0;
  });

  it('requires a password, sorts by code point and keeps the data after a restart', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    const moved = process.getuid?.() === 0;
    expect(first.dataDir.startsWith(moved ? '/var/lib/identity-service/' : await realpath(dataDir))).toBe(true);
    expect(logged.some((line) => line.endsWith(`so the database is stored in ${first.dataDir}`))).toBe(moved);
    await runSql(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    expect(new URL(first.url).pathname).toBe('/iam');
    const wrong = Object.assign(new URL(first.url), { password: 'wrong' }).href;
    await expect(runSql(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(
      await runSql(
        first.url,
        `SELECT lower('ÄÖÜÇŁ') AS lower, 'Z' < 'a' AS by_code_point, current_setting('TimeZone') AS zone,
           current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses,
           current_setting('unix_socket_directories') AS sockets, inet_server_addr() IS NULL AS uses_socket`,
      ),
    ).toEqual([
      {
        lower: 'äöüçł',
        by_code_point: true,
        zone: 'UTC',
        encoding: 'UTF8',
        addresses: '127.0.0.1',
        sockets: moved ? first.dataDir : '',
        uses_socket: moved,
      },
    ]);
    expect(await findRunningEmbeddedPostgres(dataDir)).toBe(first.url);
    await Promise.all([first.stop(), first.stop()]);
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeUndefined();

    const second = await start();
    expect([second.url, second.dataDir]).toEqual([first.url, first.dataDir]);
    expect(await runSql(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    await second.stop();
    await expect(start({ max_connections: 'many' })).rejects.toThrow(
      /^PostgreSQL did not start: invalid value for parameter "max_connections": "many" [^\n]*$/,
    );
    if (moved) await rm(second.dataDir, { recursive: true });
  });

  it('rejects the data directory of a running process, which ignores Ctrl-C', async () => {
    const other = startProcess(dataDir);
    const url = await other.waitForLine('url');
    await expect(start()).rejects.toThrow(new RegExp(`in use by process ${other.child.pid}\\. Stop that process`));
    expect(await findRunningEmbeddedPostgres(dataDir)).toBe(url);
    // On Ctrl-C, a terminal sends SIGINT to all processes of the group.
    process.kill(-(other.child.pid ?? 0), 'SIGINT');
    await other.waitForLine('interrupted');
    expect(await runSql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    other.child.stdin.end();
    await other.waitForLine('stopped');
    await (await start()).stop();
  });

  it('is reused after the process is killed', async () => {
    const killed = startProcess(dataDir);
    const url = await killed.waitForLine('url');
    const [before] = await runSql(url, 'SELECT pg_postmaster_start_time()::text AS start');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const adopted = await start();
    expect(await runSql(adopted.url, 'SELECT pg_postmaster_start_time()::text AS start')).toEqual([before]);
    expect(logged.join()).toContain('that an earlier process left running');
    await adopted.stop();
    await expect(runSql(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('recovers from a crash of all processes', async () => {
    const killed = startProcess(dataDir);
    const [url, cluster] = [await killed.waitForLine('url'), await killed.waitForLine('cluster')];
    await runSql(url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const pidFile = join(cluster, 'postmaster.pid');
    const [pid = '', ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    process.kill(Number(pid), 'SIGKILL');
    await writeFile(pidFile, [process.pid, ...rest].join('\n'));

    const recovered = await start();
    expect(await runSql(recovered.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await recovered.stop();
  });
});
