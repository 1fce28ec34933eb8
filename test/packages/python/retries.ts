import { expect, it } from '@jest/globals';
import { findFreePort } from '../../support/free-port.js';
import { type CallResult, testRetries } from '../resilience.js';
import { type InstalledPackage, VERSION } from './installed-package.js';

/** Declares tests of retries after failures of the network or the service. */
export function testPythonRetries(installed: () => InstalledPackage): void {
  testRetries(() => {
    const { app, proxy, python } = installed();
    const outcome = async (call: string): Promise<CallResult> => {
      const [value, error] = await python.run<[string, Record<string, unknown> | null]>(`
        value = []
        error = failure(lambda: value.append(${call}))
        result = [value[0] if value else None, error]
      `);
      return error === null ? { value } : { ...error, retryAfterSeconds: error['retry_after_seconds'] as number };
    };
    return {
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
    };
  });

  it('raises typed errors', async () => {
    const nameAfter = (behavior: Parameters<InstalledPackage['proxy']['plan']>[0]): Promise<unknown> => {
      installed().proxy.plan(behavior);
      const get = 'unreliable.with_options(timeout=1, retries=0).get_organization(org)';
      return installed().python.run(`result = failure(lambda: ${get})["name"]`);
    };
    expect(await nameAfter('silence')).toBe('ApiTimeoutError');
    expect(await nameAfter('lose-response')).toBe('ApiConnectionError');
    expect(await nameAfter({ status: 429 })).toBe('RateLimitError');
    expect(await nameAfter({ status: 409 })).toBe('ConflictError');
    expect(await nameAfter({ status: 502 })).toBe('ApiError');
    const unreachable = await installed().python.run(
      `result = failure(lambda: IdentityClient("http://127.0.0.1:${await findFreePort()}", retries=1).get_liveness())`,
    );
    expect(unreachable).toMatchObject({ name: 'ApiConnectionError', text: expect.stringMatching(/refused/) });
  });
}
