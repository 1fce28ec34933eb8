import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { Behavior, Proxy } from './proxy.js';

/** The result of a call: `value` after a success, otherwise the error in the terms of the language. */
export interface CallResult {
  readonly value?: string;
  readonly status?: number;
  readonly code?: string;
  readonly retryAfterSeconds?: number;
  readonly text?: string;
}

/** A client in one language. Its requests go through a proxy that can fail. */
export interface UnreliableClient {
  readonly app: TestApp;
  readonly proxy: Proxy;
  /** The value of the `User-Agent` header. */
  readonly userAgent: RegExp;
  /** Returns the slug of the organization "acme". With `isImpatient`, each attempt has 200 ms, and there is one retry. */
  getOrganization(isImpatient?: boolean): Promise<CallResult>;
  /** Creates a user in the organization "acme". Returns the email address. */
  createUser(email: string, idempotencyKey?: string): Promise<CallResult>;
  /** Signs in with a wrong password, without an Idempotency-Key. */
  signIn(): Promise<CallResult>;
}

const inTwoSeconds = (): string => new Date(Date.now() + 2_000).toUTCString();
const FAILURES: [string, () => Behavior, number][] = [
  ['status 429', () => ({ status: 429, headers: { 'retry-after': '1' } }), 1_000],
  ['status 409 with Retry-After', () => ({ status: 409, headers: { 'retry-after': '1' } }), 1_000],
  ['status 502', () => ({ status: 502 }), 0],
  ['status 503 with a date', () => ({ status: 503, headers: { 'retry-after': inTwoSeconds() } }), 500],
  ['status 504', () => ({ status: 504 }), 0],
  ['a lost connection', () => 'lose-response', 0],
];

/** Declares the tests of retries, which the clients of all languages pass. */
export function testRetries(client: UnreliableClient): void {
  const seen = () => client.proxy.seen;
  const plan = (...behaviors: Behavior[]): void => client.proxy.plan(...behaviors);

  it('creates only one resource when a POST response is lost', async () => {
    plan('lose-response', 'pass');
    expect(await client.createUser('lost@example.com')).toMatchObject({ value: 'lost@example.com' });
    const [first, second] = seen();
    expect(seen()).toHaveLength(2);
    expect(first!.headers['idempotency-key']).toMatch(/^[\w-]{20,}$/);
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
    expect(first!.headers['user-agent']).toMatch(client.userAgent);
    const { body } = await client.app.api.platform.get('/v1/organizations/acme/users?email=lost@example.com').expect(200);
    expect(body.pagination.total).toBe(1);
  });

  it('sends the Idempotency-Key of the caller', async () => {
    plan();
    const created = await client.createUser('named@example.com', 'once');
    expect(await client.createUser('named@example.com', 'once')).toEqual(created);
    expect(seen().map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once']);
  });

  it.each(FAILURES)('retries after %s', async (_, behavior, waitsMs) => {
    plan(behavior(), 'pass');
    const startedAt = performance.now();
    expect(await client.getOrganization()).toMatchObject({ value: 'acme' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(waitsMs);
    expect(seen()).toHaveLength(2);
  });

  it('returns the error after the last retry', async () => {
    plan(...Array.from({ length: 4 }, () => ({ status: 502, body: '<html>' })));
    expect(await client.getOrganization()).toMatchObject({ status: 502, code: 'http_502' });
    expect(seen()).toHaveLength(4);
  });

  it.each([
    [429, { 'retry-after': '600' }, { retryAfterSeconds: 600 }],
    [409, {}, {}],
    [500, {}, {}],
  ])('does not retry after status %i with the headers %j', async (status, headers, expected) => {
    plan({ status, headers });
    expect(await client.getOrganization()).toMatchObject({ status, ...expected });
    expect(seen()).toHaveLength(1);
  });

  it('retries a POST without Idempotency-Key only after status 429', async () => {
    for (const behavior of ['lose-response', { status: 503 }] as const) {
      plan(behavior);
      await client.signIn();
      expect(seen()).toHaveLength(1);
      expect(seen()[0]!.headers['idempotency-key']).toBeUndefined();
    }
    plan({ status: 429 });
    expect(await client.signIn()).toMatchObject({ status: 401 });
    expect(seen()).toHaveLength(2);
  });

  it('limits the time of each attempt', async () => {
    plan('silence', 'silence');
    const startedAt = performance.now();
    const { text } = await client.getOrganization(true);
    expect(text).toMatch(/timed out|no complete response/);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(seen()).toHaveLength(2);
  });
}
