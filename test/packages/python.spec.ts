import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiDocument } from '../../scripts/api-document.mjs';
import { pythonTools } from '../../scripts/python-tools.mjs';
import { findFreePort } from '../support/free-port.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';
import { testScenarios } from './client-scenarios.js';
import { realDelivery, SECRET } from './deliveries.js';
import { proofCases, stepUpCases } from './proofs.js';
import { type Proxy, startProxy } from './proxy.js';
import { PythonConsole } from './python/console.js';
import { FOLDER, installPackage, PYTHON, ROOT, run, VERSION } from './python/installed-package.js';
import { type CallResult, testRetries } from './resilience.js';
import { Quickstart } from './samples/quickstart.js';
import { missingInOutput } from './samples/shown-output.js';

/** The first run downloads the tools and checks all files with mypy. */
const INSTALL_TIMEOUT_MS = 600_000;

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The samples of the README: first samples of the client, then samples of a receiver. Each sample uses variables of earlier samples. */
const samples = [...readFileSync(join(ROOT, 'packages/python/README.md'), 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  (match) => match[1]!,
);
const [clientGuide, receiverGuide] = [samples.slice(0, 4).join('\n'), samples.slice(4).join('\n')];

jest.setTimeout(INSTALL_TIMEOUT_MS);

describe('the Python client', () => {
  const app = testApp();
  const proxy = testServer(() => startProxy(app.url));
  let python: PythonConsole;
  let quickstart: Quickstart;
  let delivery: ReturnType<typeof realDelivery> | undefined;
  const delivered = () => (delivery ??= realDelivery(app));

  beforeAll(async () => {
    await installPackage();
    python = new PythonConsole(PYTHON, { BASE_URL: app.url, PROXY_URL: proxy.url, API_KEY: app.platformKey });
    await python.run(readFileSync(join(import.meta.dirname, 'python/scenarios.py'), 'utf8'));
    quickstart = await Quickstart.of('test/packages/python.spec.ts', app);
    for (const [name, code] of Object.entries(quickstart.programs)) writeFileSync(join(FOLDER, `${name}.py`), code);
  });
  afterAll(() => python?.stop());

  it('passes mypy --strict with all documented samples', async () => {
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
  });

  it('checks DPoP proofs, and whether a sign-in is recent and strong enough', async () => {
    const [proofs, stepUps] = [await proofCases(), stepUpCases()];
    const outcomes = await python.run(`result = proofs(json.loads(${JSON.stringify(JSON.stringify({ proofs, stepUps }))}))`);
    expect(outcomes).toEqual({
      proofs: proofs.map(({ expected }) => expected),
      stepUps: stepUps.map(({ expected }) => expected),
    });
  });

  it('has a method for each operation', async () => {
    const [methods, installedVersion] = await python.run<[string[], string]>(
      'result = [dir(IdentityClient), importlib.metadata.version("identity-service")]',
    );
    const operations = Object.values(apiDocument().paths).flatMap((path) => Object.values(path));
    const expected = operations.flatMap(({ operationId }) => (operationId === undefined ? [] : [snakeCase(operationId)]));
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.filter((name) => !methods.includes(name))).toEqual(['stream_events']);
    expect(methods).toContain('follow_events');
    expect(installedVersion).toBe(VERSION);
  });

  it('returns the documented results of the README', async () => {
    const slug = 'acme-of-the-guide';
    const ADA = { email: 'ada@example.com' };
    const program = clientGuide
      .replace('http://localhost:3000', app.url)
      .replace('create_organization(name="Acme")', `create_organization(name="Acme", slug="${slug}")`)
      .replaceAll('"acme"', `"${slug}"`)
      .replaceAll('/acme', `/${slug}`);
    writeFileSync(join(FOLDER, 'guide.py'), program);
    const child = spawn(PYTHON, ['-u', 'guide.py'], { cwd: FOLDER, env: { ...process.env, API_KEY: app.platformKey } });
    const printed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line);
      if (line.startsWith('id,')) await app.api.platform.post(`/v1/organizations/${slug}/users`, ADA).expect(201);
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
    const built = readdirSync(join(ROOT, 'dist/packages')).map((name) => `/home/you/identity-service/dist/packages/${name}`);
    expect(missingInOutput('docs/guides/packages.md', 'npm run packages:python', built.join('\n'))).toEqual([]);
  });

  testScenarios(app, (name) => python.call(name), {
    resources: {
      team: 'engines',
      afterDeletion: expect.objectContaining({ name: 'NotFoundError', status: 404, code: 'user_not_found' }),
    },
    lists: { pages: 3 },
    errors: {
      conflict: expect.objectContaining({
        name: 'ConflictError',
        code: 'slug_taken',
        message: expect.stringMatching(/already taken/),
      }),
      unauthenticated: expect.objectContaining({ name: 'AuthenticationError', status: 401, code: 'unauthenticated' }),
      dots: ['ValueError', 'ValueError'],
    },
  });

  it('accepts fields that a newer version of the service adds', async () => {
    expect(await python.call('newer_service')).toEqual(['new', 1]);
  });

  const outcome = async (call: string): Promise<CallResult> => {
    const [value, error] = await python.run<[string, Record<string, unknown> | null]>(`
        value = []
        error = failure(lambda: value.append(${call}))
        result = [value[0] if value else None, error]
      `);
    return error === null ? { value } : { ...error, retryAfterSeconds: error['retry_after_seconds'] as number };
  };
  testRetries({
    app,
    proxy,
    userAgent: new RegExp(`^identity-service-python/${VERSION}$`),
    getOrganization: (isImpatient) =>
      outcome(`unreliable${isImpatient ? '.with_options(timeout=0.2, retries=1)' : ''}.get_organization(org).slug`),
    createUser: (email, idempotencyKey) =>
      outcome(
        `unreliable.create_user(org, email="${email}"${idempotencyKey ? `, idempotency_key="${idempotencyKey}"` : ''}).email`,
      ),
    signIn: () => outcome('unreliable.login(organization=org, email="ada@example.com", password="wrong")'),
  });

  it('raises typed errors', async () => {
    const nameAfter = (behavior: Parameters<Proxy['plan']>[0]): Promise<unknown> => {
      proxy.plan(behavior);
      const get = 'unreliable.with_options(timeout=1, retries=0).get_organization(org)';
      return python.run(`result = failure(lambda: ${get})["name"]`);
    };
    expect(await nameAfter('silence')).toBe('ApiTimeoutError');
    expect(await nameAfter('lose-response')).toBe('ApiConnectionError');
    expect(await nameAfter({ status: 429 })).toBe('RateLimitError');
    expect(await nameAfter({ status: 409 })).toBe('ConflictError');
    expect(await nameAfter({ status: 502 })).toBe('ApiError');
    const unreachable = await python.run(
      `result = failure(lambda: IdentityClient("http://127.0.0.1:${await findFreePort()}", retries=1).get_liveness())`,
    );
    expect(unreachable).toMatchObject({ name: 'ApiConnectionError', text: expect.stringMatching(/refused/) });
  });

  it('receives events without gaps or duplicates after a lost connection', async () => {
    proxy.plan();
    await python.call('follow_roles');
    const createRole = (name: string, description: string): Promise<unknown> =>
      python.run(`identity.create_role(org, name="${name}", description=${JSON.stringify(description)})`);
    const followed = async (count: number): Promise<string[]> => {
      const descriptions = await python.run<string[]>('result = followed');
      return descriptions.length >= count ? descriptions : sleep(50).then(() => followed(count));
    };
    while (proxy.seen.length === 0) await sleep(20);
    // The service sends the current position before the first event.
    await sleep(500);
    proxy.cut();
    await createRole('first', 'while disconnected');
    await followed(1);
    await createRole('second', 'Zoë 🙂');
    await followed(2);
    proxy.cut();
    await createRole('third', 'after a second loss');
    expect(await followed(3)).toEqual(['while disconnected', 'Zoë 🙂', 'after a second loss']);
    expect(proxy.seen.some(({ headers }) => headers['last-event-id'])).toBe(true);
  });

  it('ends the stream at the time of the until option', async () => {
    expect(await python.call('follow_until_now')).toEqual([['organization.created'], 'organization_not_found']);
  });

  it('returns a typed event for a delivery', async () => {
    const { body, headers } = await delivered();
    const typed = ['UserCreatedEvent', 'Zoë 🙂', 'UserCreatedEvent'];
    expect(await python.call('typed_events', body, headers, SECRET)).toEqual([typed, 'signature_mismatch']);
  });

  it('returns events of unknown types without typed data', async () => {
    expect(await python.call('untyped_events')).toEqual([
      ['UntypedEvent', 'evt_1', 'user.teleported', 'Mars', 'evt_1', 'evt_1'],
      'body_invalid',
      'body_invalid',
      expect.stringMatching(/The secret of the webhook is missing/),
    ]);
  });

  it('verifies webhooks in the Flask sample', async () => {
    writeFileSync(join(FOLDER, 'receiver.py'), receiverGuide);
    writeFileSync(join(FOLDER, 'user-created.json'), (await delivered()).body);
    const { stdout } = await run(PYTHON, ['receiver.py'], { cwd: FOLDER, env: { ...process.env, WEBHOOK_SECRET: SECRET } });
    expect(stdout.split('\n')).toEqual(['zoe@example.com', '204', '']);
  });
});
