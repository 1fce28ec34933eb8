import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Webhooks } from '../../packages/webhooks/src/index.js';
import { newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';
import { testScenarios } from './client-scenarios.js';
import { byName, deliveries, expectedOutcomes, realDelivery, SECRET } from './deliveries.js';
import { execute, FOLDER, go, installModule, installQuickstart, PROGRAM, QUICKSTART, ROOT } from './go/installed-module.js';
import { proofCases, stepUpCases } from './proofs.js';
import { startProxy } from './proxy.js';
import { type CallResult, testRetries } from './resilience.js';
import { Quickstart } from './samples/quickstart.js';

/** The first run on a machine downloads and compiles the module, its tools and the standard library. */
const LIMIT_MS = 600_000;
/** The Go module uses its own clock. */
const CLOCK_MARGIN_SECONDS = 10;

jest.setTimeout(LIMIT_MS);

describe('the Go client', () => {
  const app = testApp();
  const proxy = testServer(() => startProxy(app.url));
  let quickstart: Quickstart;

  beforeAll(async () => {
    await installModule(app.url);
    quickstart = await Quickstart.of('test/packages/go.spec.ts', app);
    await installQuickstart(quickstart);
    await newOrganization(app, { slug: 'acme' });
  });

  const start = (...parameters: string[]) =>
    spawn(join(FOLDER, 'bin/program'), parameters, {
      env: { ...process.env, BASE_URL: proxy.url, API_KEY: app.platformKey },
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: 30_000,
    });

  /** Runs a scenario of the Go program. Returns the last JSON line of the output. */
  async function result(scenario: string, parameters: string[] = [], input?: unknown): Promise<Record<string, unknown>> {
    const child = start(scenario, ...parameters);
    child.stdin.end(input === undefined ? '' : JSON.stringify(input));
    let last = '';
    for await (const line of createInterface(child.stdout)) last = line;
    if (last === '') throw new Error(`The scenario "${scenario}" printed no result (exit code ${child.exitCode}).`);
    return JSON.parse(last) as Record<string, unknown>;
  }

  it('passes go test and go vet', async () => {
    await go(join(ROOT, 'packages/go'), 'test', '-vet=off', '-timeout=60s', '.');
    await go(PROGRAM, 'vet', './...', 'identity-service.internal/identity');
    await go(QUICKSTART, 'vet', './...');
  });

  it('checks DPoP proofs, and whether a sign-in is recent and strong enough', async () => {
    const [proofs, stepUps] = [await proofCases(), stepUpCases()];
    const outcomes = await result('proofs', [], { proofs, stepUps });
    expect(outcomes).toEqual({
      proofs: proofs.map(({ expected }) => expected),
      stepUps: stepUps.map(({ expected }) => expected),
    });
  });

  it('returns the documented results of the README', async () => {
    const env = { ...process.env, BASE_URL: app.url, API_KEY: app.platformKey };
    const printed = async (name: string, ...parameters: string[]) =>
      (await execute(join(FOLDER, 'bin', name), parameters, { env })).stdout.trim();
    expect((await printed('readme0')).split('\n')).toEqual([
      'ada@example.com',
      expect.stringMatching(/^identity: The slug "acme-\w+" is already taken.* \(409 slug_taken, request req_\w+\)$/),
    ]);
    expect(await printed('samples', '1')).toBe('0 of 0');
    expect(await printed('samples', '2')).toMatch(/^404 user_not_found .* req_\w+$/);
    expect(await printed('samples', '3')).toBe('');
    expect(await printed('samples', '4')).toMatch(/^id,/);
    const { body } = await app.api.platform.get('/v1/organizations/acme').expect(200);
    expect(body.data.description).toBe('Engines');
  });

  it('returns the documented results of the quickstart', () => quickstart.run(QUICKSTART, (name) => [join(FOLDER, 'bin', name)]));

  testScenarios(app, result, {
    resources: { withoutFirstName: null, suspended: 'suspended', alive: 'ok' },
    errors: { now: 'acme', is: [true, false] },
  });

  const outcome = async (scenario: string, ...parameters: string[]): Promise<CallResult> => {
    const { slug, email, error } = await result(scenario, parameters);
    if (typeof error === 'string') return { text: error };
    return { value: (slug ?? email) as string | undefined, ...(error as CallResult | undefined) };
  };
  testRetries({
    app,
    proxy,
    userAgent: /^identity-service-go\/\d/,
    getOrganization: (isImpatient) => outcome('get', ...(isImpatient ? ['short'] : [])),
    createUser: (email, idempotencyKey) => outcome('create', email, ...(idempotencyKey ? [idempotencyKey] : [])),
    signIn: () => outcome('login'),
  });

  it('receives events without gaps or duplicates after a lost connection', async () => {
    const child = start('follow');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    const role = (name: string) => app.api.platform.post('/v1/organizations/acme/roles', { name }).expect(201);
    const positions: unknown[] = [];
    for (const name of ['first', 'while disconnected', 'third', 'last']) {
      if (name === 'while disconnected' || name === 'last') proxy.cut();
      await role(name);
      const event = await next();
      expect(event).toMatchObject({ name });
      positions.push(event['position']);
    }
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a) - Number(b)));
    expect(await next()).toEqual({ names: ['first', 'while disconnected', 'third', 'last'], ended: 'context canceled' });
    expect(await result('follow', ['until now'])).toEqual({
      names: ['first', 'while disconnected', 'third', 'last'],
      unknown: expect.objectContaining({ status: 404, code: 'organization_not_found' }),
    });
  });

  it('verifies webhook deliveries', async () => {
    const real = await realDelivery(app);
    const body = '{"id":"evt_1","type":"user.merged","data":{"into":"usr_1"}}';
    const headers = await new Webhooks({ secret: SECRET }).sign(body, 'evt_1');
    const all = await deliveries(real, CLOCK_MARGIN_SECONDS);
    const cases = [{ ...real, name: 'a newer type', body, headers }, ...all.filter(({ hasOwnHeaderOnly }) => !hasOwnHeaderOnly)];
    // The event or the error, the status after a successful handler function, and the status after a failed handler function.
    const outcomes = (await result('verify', [], cases)) as unknown as string[];
    expect(outcomes.slice(0, 2)).toEqual([
      'unknown user.merged {"into":"usr_1"} 204 500',
      'user.created zoe@example.com true 204 500',
    ]);
    const short = outcomes.map((outcome) => (outcome.endsWith(' 204 500') ? 'verified' : outcome.replace(/ 401 401$/, '')));
    expect(byName(cases, short)).toEqual(expectedOutcomes(cases));
  });
});
