import { expect, it } from '@jest/globals';
import { findFreePort } from '../../support/free-port.js';
import { type InstalledPackage, VERSION } from './installed-package.js';

/** Declares tests of retries after failures of the network or the service. */
export function testRetries(installed: () => InstalledPackage): void {
  it('creates only one resource when a POST response is lost', async () => {
    installed().proxy.plan('lose-response', 'pass');
    const outcome = await installed().python.run(`
      user = unreliable.create_user(org, email="lost@example.com")
      result = [user.email, identity.list_users(org, email="lost@example.com").page().pagination.total]
    `);
    expect(outcome).toEqual(['lost@example.com', 1]);
    expect(installed().proxy.seen).toHaveLength(2);
    expect(installed().proxy.seen[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(installed().proxy.seen[0]!.headers['idempotency-key']).toBe(installed().proxy.seen[1]!.headers['idempotency-key']);
    expect(installed().proxy.seen[0]!.headers['user-agent']).toBe(`identity-service-python/${VERSION}`);
  });

  it.each([
    ['429', { status: 429, headers: { 'retry-after': '1' } }, 1],
    ['503 with a date', { status: 503, headers: { 'retry-after': new Date(Date.now() + 1_000).toUTCString() } }, 0],
    ['409 with Retry-After', { status: 409, headers: { 'retry-after': '0' } }, 0],
    ['502', { status: 502 }, 0],
    ['504', { status: 504 }, 0],
  ] as const)('retries after %s', async (_, response, waitsSeconds) => {
    installed().proxy.plan(response, 'pass');
    const [slug, seconds] = await installed().python.run<[string, number]>(`
      started = time.monotonic()
      result = [unreliable.get_organization(org).slug, time.monotonic() - started]
    `);
    expect(slug).toBe('acme');
    expect(seconds).toBeGreaterThanOrEqual(waitsSeconds);
    expect(installed().proxy.seen).toHaveLength(2);
  });

  it('raises an error after the last retry', async () => {
    const get = (options = ''): Promise<object> =>
      installed().python.run(`result = failure(lambda: unreliable.with_options(${options}).get_organization(org))`);
    installed().proxy.plan(...Array.from({ length: 3 }, () => ({ status: 502, body: '<html>' })));
    expect(await get('retries=2')).toMatchObject({ name: 'ApiError', status: 502, code: 'http_502' });
    expect(installed().proxy.seen).toHaveLength(3);
    installed().proxy.plan({ status: 429, headers: { 'retry-after': '600' } });
    expect(await get()).toMatchObject({ name: 'RateLimitError', retry_after_seconds: 600 });
    expect(installed().proxy.seen).toHaveLength(1);
    installed().proxy.plan({ status: 409 });
    expect(await get()).toMatchObject({ name: 'ConflictError', code: 'http_409' });
    expect(installed().proxy.seen).toHaveLength(1);
  });

  it('retries no POST that the service could process twice', async () => {
    for (const behavior of ['lose-response', { status: 503 }] as const) {
      installed().proxy.plan(behavior);
      const refused = await installed().python.run(`
        result = failure(lambda: unreliable.login(organization=org, email="ada@example.com", password="wrong"))
      `);
      expect(refused).toMatchObject({ name: behavior === 'lose-response' ? 'ApiConnectionError' : 'ApiError' });
      expect(installed().proxy.seen).toHaveLength(1);
      expect(installed().proxy.seen[0]!.headers['idempotency-key']).toBeUndefined();
    }
  });

  it('raises an error if no response arrives in time', async () => {
    installed().proxy.plan('silence', 'silence');
    const late = await installed().python.run(
      'result = failure(lambda: unreliable.with_options(timeout=0.2, retries=1).get_organization(org))',
    );
    expect(late).toMatchObject({ name: 'ApiTimeoutError', text: expect.stringMatching(/^GET .* timed out\.$/) });
    expect(installed().proxy.seen).toHaveLength(2);
    const unreachable = await installed().python.run(
      `result = failure(lambda: IdentityClient("http://127.0.0.1:${await findFreePort()}", retries=1).get_liveness())`,
    );
    expect(unreachable).toMatchObject({ name: 'ApiConnectionError', text: expect.stringMatching(/refused/) });
  });
}
