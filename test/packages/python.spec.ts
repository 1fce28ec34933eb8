import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonTools } from '../../scripts/python-tools.mjs';
import { testCalls } from './python/calls.js';
import { testEvents } from './python/events.js';
import { FOLDER, InstalledPackage, PYTHON, ROOT, run, VERSION } from './python/installed-package.js';
import { SECRET } from './deliveries.js';
import { testPythonRetries } from './python/retries.js';
import { Quickstart } from './samples/quickstart.js';

/** The first run downloads the tools and checks all files with mypy. */
const INSTALL_TIMEOUT_MS = 600_000;

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The samples of the README: first samples of the client, then samples of a receiver. Each sample uses variables of earlier samples. */
const samples = [...readFileSync(join(ROOT, 'packages/python/README.md'), 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  (match) => match[1]!,
);
const [clientGuide, receiverGuide] = [samples.slice(0, 4).join('\n'), samples.slice(4).join('\n')];

describe('the Python client', () => {
  let installed: InstalledPackage;
  let quickstart: Quickstart;

  beforeAll(async () => {
    installed = await InstalledPackage.start();
    quickstart = await Quickstart.of('test/packages/python.spec.ts', installed.app);
    for (const [name, code] of Object.entries(quickstart.programs)) writeFileSync(join(FOLDER, `${name}.py`), code);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => installed?.stop());

  it(
    'passes mypy --strict with all documented samples',
    async () => {
      copyFileSync(join(import.meta.dirname, 'python/typed.py'), join(FOLDER, 'typed.py'));
      writeFileSync(join(FOLDER, 'client_guide.py'), clientGuide);
      writeFileSync(join(FOLDER, 'receiver_guide.py'), receiverGuide);
      const options = ['--strict', '--python-executable', PYTHON, '--cache-dir', 'mypy-cache'];
      const modules = ['typed', 'client_guide', 'receiver_guide', ...Object.keys(quickstart.programs)];
      const checked = ['-p', 'identity_service', ...modules.flatMap((name) => ['-m', name])];
      const { stdout } = await run(join(await pythonTools(), 'mypy'), [...options, ...checked], { cwd: FOLDER }).catch(
        (failure: { stdout: string }) => failure,
      );
      expect(stdout).toMatch(/^Success: no issues found/);
    },
    INSTALL_TIMEOUT_MS,
  );

  it('has a method for each operation', async () => {
    const [methods, installedVersion] = await installed.python.run<[string[], string]>(
      'result = [dir(IdentityClient), importlib.metadata.version("identity-service")]',
    );
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    const expected = operations.filter((id) => id !== undefined).map(snakeCase);
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.filter((name) => !methods.includes(name))).toEqual(['stream_events']);
    expect(methods).toContain('follow_events');
    expect(installedVersion).toBe(VERSION);
  });

  it('returns the documented results of the README', async () => {
    const slug = 'acme-of-the-guide';
    const ADA = { email: 'ada@example.com' };
    const program = clientGuide
      .replace('http://localhost:3000', installed.app.url)
      .replace('create_organization(name="Acme")', `create_organization(name="Acme", slug="${slug}")`)
      .replaceAll('"acme"', `"${slug}"`)
      .replaceAll('/acme', `/${slug}`);
    writeFileSync(join(FOLDER, 'guide.py'), program);
    const child = spawn(PYTHON, ['-u', 'guide.py'], { cwd: FOLDER, env: { ...process.env, API_KEY: installed.app.platformKey } });
    const printed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line);
      if (line.startsWith('id,')) await installed.app.api.platform.post(`/v1/organizations/${slug}/users`, ADA).expect(201);
      // The last sample follows events until the program ends.
      if (line.endsWith('is new')) break;
    }
    child.kill();
    expect(printed).toEqual([
      'ada@example.com',
      expect.stringMatching(/^The slug ".*" is already taken/),
      '0 of 0',
      'Engines',
      expect.stringMatching(/^id,/),
      expect.stringMatching(/^\d+: ada@example.com is new$/),
    ]);
  });

  it('returns the documented results of the quickstart', async () => {
    const env = { ...process.env, PATH: `${await pythonTools()}:${process.env['PATH']}`, PIP_PYTHON: PYTHON };
    await run('bash', ['-ec', quickstart.install], { cwd: FOLDER, env });
    await quickstart.run(FOLDER, (name) => [PYTHON, '-u', `${name}.py`]);
  });

  testCalls(() => installed);
  testPythonRetries(() => installed);
  testEvents(() => installed);

  it('verifies webhooks in the Flask sample', async () => {
    writeFileSync(join(FOLDER, 'receiver.py'), receiverGuide);
    const { stdout } = await run(PYTHON, ['receiver.py'], { cwd: FOLDER, env: { ...process.env, WEBHOOK_SECRET: SECRET } });
    expect(stdout.split('\n')).toEqual(['zoe@example.com', '204', '']);
  });
});
