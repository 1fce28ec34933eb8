import { type ChildProcessByStdio, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../support/free-port.js';

const ROOT = join(import.meta.dirname, '../..');
/** The web pages and the guide may have to be built first. */
const BUILD_LIMIT_MS = 300_000;
const run = promisify(execFile);

describe('the server package', () => {
  let folder: string;
  let port: number;
  const lines: string[] = [];
  let child: ChildProcessByStdio<null, Readable, null> | undefined;

  const program = (...parameters: string[]) => [join(folder, 'node_modules/.bin/identity-service-server'), parameters] as const;
  const environment = () => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), LOG_LEVEL: 'warn' });
  const command = (...parameters: string[]): Promise<{ code?: number; stdout: string; stderr: string }> =>
    run(...program(...parameters), { cwd: folder, env: environment() }).catch(
      (failure: { code: number; stdout: string; stderr: string }) => failure,
    );
  const printed = (pattern: RegExp): string | undefined => pattern.exec(lines.join('\n'))?.[1];

  beforeAll(async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'packages:server'], { cwd: ROOT });
    folder = mkdtempSync(join(tmpdir(), 'server-package-'));
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    await run('npm', ['install', '--no-audit', '--no-fund', stdout.trim()], { cwd: folder });
    port = await findFreePort();
    const [file, parameters] = program();
    child = spawn(file, parameters, { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    // The last line of the welcome message.
    while (!lines.some((line) => line.includes('curl '))) {
      await Promise.race([once(reader, 'line'), once(reader, 'close')]);
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${lines.join('\n')}`);
    }
  }, BUILD_LIMIT_MS);

  afterAll(async () => {
    if (child && child.exitCode === null && child.kill()) await once(child, 'exit');
    if (folder) rmSync(folder, { recursive: true });
  });

  it('has few dependencies', () => {
    const isPackage = (name: string): boolean => !name.startsWith('.');
    expect(readdirSync(join(folder, 'node_modules')).filter(isPackage).length).toBeLessThan(30);
  });

  it('starts with an embedded database', async () => {
    const key = printed(/^\s+(service_sk_\S+)$/m);
    const response = await fetch(`http://127.0.0.1:${port}/v1/organizations`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
  });

  it.each([
    '/dashboard',
    '/account/sign-in',
    '/docs',
    '/docs/operations/createUser',
    '/docs/guide/',
    '/docs/errors/forbidden',
    '/openapi.json',
    '/openapi-scim.json',
  ])('serves %s', async (path) => {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
  });

  it('runs the operator commands', async () => {
    expect((await command('dashboard-link')).stdout).toMatch(/^Dashboard link .*\/dashboard\/getting-started#token=/);
    expect((await command('platform-keys')).stdout).toMatch(/^key_\w+ {2}First start {2}/);
    expect(await command('platform-kyes')).toMatchObject({
      code: 1,
      stderr: 'There is no command "platform-kyes". Commands: dashboard-link, distribute, platform-keys, reseal-secrets.\n',
    });
  });
});

it('npm ci installs at most 300 packages without warnings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dry-installation-'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(ROOT, name), join(folder, name));
  // Excludes the settings of this machine, which the npm that runs the tests passes on.
  const env = { PATH: process.env['PATH'] };
  const options = ['--dry-run', '--no-audit', '--no-fund', '--no-update-notifier', '--userconfig=/dev/null'];
  const { status, stdout, stderr } = spawnSync('npm', ['ci', ...options], { cwd: folder, env, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([status, stderr.trim()]).toEqual([0, '']);
  expect(Number(/added (\d+) packages/.exec(stdout)?.[1])).toBeLessThanOrEqual(300);
});
