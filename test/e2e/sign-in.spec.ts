import { describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import { eventsDuring, withEvents } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { activeUser, DAY_MS, from, HOUR_MS, later, login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const PROVIDER = { issuer: 'https://login.example.com', clientId: 'client', clientSecret: 'secret-of-the-client' };
const DEFAULT_POLICY = {
  minLength: 15,
  requireUppercase: false,
  requireNumbers: false,
  requireSymbols: false,
  preventReuse: 0,
  maxBytes: 1024,
  rules: [expect.stringContaining('At least 15 characters'), expect.stringContaining('Not a common password')],
};

const app = testApp({ trustProxy: ['127.0.0.1'] });

describe('a password sign-in', () => {
  let address = 0;

  const person = (org: TestBody, fields: object = {}): Promise<TestBody> =>
    activeUser(app, org.id, { email: newAddress(), ...fields });
  const newIpAddress = (): string => `198.51.${Math.floor(++address / 250)}.${(address % 250) + 1}`;
  /** Signs in from an IP address, by default a new one. */
  const signIn = (org: TestBody, email: string, password = PASSWORD, ipAddress = newIpAddress(), userAgent?: string) =>
    login(app, org.id, email, password, from(ipAddress, userAgent));

  it('opens a session and publishes user.login', async () => {
    const org = await newOrganization(app);
    const user = await person(org, { firstName: 'Ada' });
    const path = `/v1/organizations/${org.id}/users`;
    const before = await read(app, `${path}/${user.id}`);
    const [body, events] = await withEvents(
      app,
      async () => (await login(app, org.slug, user.email.toUpperCase(), PASSWORD).expect(200)).body.data,
    );
    expect(body).toMatchObject({
      mfaRequired: false,
      mfaEnrolmentRequired: false,
      session: { organizationId: org.id, authenticationMethods: ['password'] },
      user: { id: user.id, email: user.email, firstName: 'Ada' },
    });
    const data = { userId: user.id, sessionId: body.session.id, method: 'password', mfaMethod: null };
    expect(events).toEqual([{ type: 'user.login', organization: { id: org.id, name: org.name }, data }]);
    const after = await read(app, `${path}/${user.id}`);
    expect(after).toEqual({ ...before, lastLoginAt: expect.any(String) });
    const [latest] = await read(app, `${path}?sort=-lastLoginAt`);
    expect(latest).toMatchObject({ id: user.id, lastLoginAt: after.lastLoginAt });
  });

  it('accepts users of the organization and of ancestors', async () => {
    const top = await newOrganization(app);
    const child = await newOrganization(app, { parentId: top.id });
    const beside = await newOrganization(app, { parentId: top.id });
    const parentUser = await person(top);
    const childUser = await person(child);
    await signIn(top, parentUser.email).expect(200);
    await signIn(child, parentUser.email).expect(200);
    await signIn(child, childUser.email).expect(200);
    await signIn(top, childUser.email).expect(401);
    await signIn(beside, childUser.email).expect(401);
    await made(app, `/v1/organizations/${beside.id}/members`, { userId: childUser.id });
    await signIn(beside, childUser.email).expect(200);
    await signIn(await newOrganization(app), parentUser.email).expect(401);
  });

  it('reveals the reason for a rejection only in the event', async () => {
    const org = await newOrganization(app);
    const path = `/v1/organizations/${org.id}/users`;
    const active = await person(org);
    const suspended = await person(org);
    const deleted = await person(org);
    await app.api.platform.post(`${path}/${suspended.id}/suspend`, {}).expect(200);
    await app.api.platform.delete(`${path}/${deleted.id}`).expect(204);
    const pending = await made(app, path, { email: newAddress() });
    // The address, the password, and the user and the reason in the event.
    const tries = [
      [active.email, `${PASSWORD}!`, active.id, 'wrong_password'],
      [suspended.email, PASSWORD, suspended.id, 'user_suspended'],
      [deleted.email, PASSWORD, undefined, 'unknown_user'],
      [pending.email, PASSWORD, pending.id, 'wrong_password'],
      [newAddress(), PASSWORD, undefined, 'unknown_user'],
    ] as const;
    const attempts = tries.map(([email, password]) => [org.id, email, password] as const);
    const responses: TestBody[] = [];
    const events = await eventsDuring(app, async () => {
      for (const [name, email, password] of [...attempts, ['no-such-organization', active.email, PASSWORD] as const]) {
        const { status, body, headers } = await login(app, name, email, password, from(newIpAddress()));
        const { requestId, ...rest } = body;
        responses.push({ status, rest, challenge: headers.get('www-authenticate'), fields: [...headers.keys()].sort() });
        expect(requestId).toMatch(/^req_/);
      }
    });
    expect(responses[0]).toMatchObject({ status: 401, rest: { code: 'invalid_credentials' } });
    for (const response of responses) expect(response).toEqual(responses[0]);
    expect(events.map(({ type, data }) => [type, data.email, data.userId, data.reason, data.failedAttempts])).toEqual(
      tries.map(([email, , userId, reason]) => ['user.login_failed', email, userId, reason, 1]),
    );
    expect(JSON.stringify(events)).not.toContain(PASSWORD);
  });

  it('publishes the failures of a user in the managing organization, and elsewhere those of an unknown user', async () => {
    const [parent, address] = [await newOrganization(app), newIpAddress()];
    const child = await newOrganization(app, { parentId: parent.id });
    const user = await person(parent);
    const unknown = newAddress();
    const reader = await keyClient(app, child.id, ['events:read']);
    /** Returns the events of five failed attempts, of which the last one locks the account. */
    const eventsFor = (email: string) =>
      eventsDuring(app, async () => {
        for (let count = 0; count < 5; count++) await login(app, child.id, email, `${PASSWORD}!`, from(address)).expect(401);
      });
    const places = (events: TestBody[]) => new Set(events.map(({ organization, data }) => `${organization.id} ${data.userId}`));
    const known = await eventsFor(user.email);
    expect(places(known.filter(({ type }) => type === 'user.login_failed'))).toEqual(
      new Set([`${parent.id} ${user.id}`, `${child.id} undefined`]),
    );
    expect(places(await eventsFor(unknown))).toEqual(new Set([`${child.id} undefined`]));
    await numberedEvents(app);
    const { body } = await reader.get(`/v1/organizations/${child.id}/events?limit=100`).expect(200);
    const shownFor = (email: string) =>
      body.data
        .filter((event: TestBody) => JSON.stringify(event).includes(`"${email}"`))
        .map((event: TestBody) => JSON.stringify([event.type, event.data]).replaceAll(email, 'address'));
    expect(shownFor(user.email)).toHaveLength(6);
    expect(shownFor(user.email)).toEqual(shownFor(unknown));
    expect(JSON.stringify(body)).not.toContain(user.id);
  });

  it('reveals a suspended organization only with the correct password', async () => {
    const org = await newOrganization(app);
    const child = await newOrganization(app, { parentId: org.id });
    const user = await person(child);
    await app.api.platform.post(`/v1/organizations/${org.id}/suspend`, {}).expect(200);
    await login(app, child.id, user.email, PASSWORD, from('192.0.2.1')).expect(409, 'organization_suspended');
    await login(app, child.id, user.email, `${PASSWORD}!`, from('192.0.2.1')).expect(401);
    // The correct password did not count as a failure.
    const [row] = await app.database.query(`SELECT failures FROM sign_in_failures WHERE tenant_id = $1 AND address <> ''`, [
      org.id,
    ]);
    expect(row).toEqual({ failures: 1 });
    await app.api.platform.post(`/v1/organizations/${org.id}/activate`).expect(200);
    await login(app, child.id, user.email, PASSWORD, from('192.0.2.1')).expect(200);
  });

  it('leaves no session open if the user is suspended during the verification', async () => {
    const org = await newOrganization(app);
    const rounds = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const user = await person(org);
        const [{ status }] = await Promise.all([
          signIn(org, user.email),
          app.api.platform
            .post(`/v1/organizations/${org.id}/users/${user.id}/suspend`, { revokeActiveSessions: true })
            .expect(200),
        ]);
        return { id: user.id, status };
      }),
    );
    const live = await app.database.query<{ user_id: string }>(
      'SELECT user_id FROM sessions WHERE user_id = ANY($1) AND revoked_at IS NULL',
      [rounds.map(({ id }) => id)],
    );
    expect(live).toEqual([]);
    for (const { status } of rounds) expect([200, 401]).toContain(status);
  });

  describe('a failed sign-in', () => {
    it('locks the account for the IP address at the fifth failure, and for twice the time at the sixth', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      for (const email of [user.email, newAddress()]) {
        const ipAddress = newIpAddress();
        const events = await eventsDuring(app, async () => {
          for (let count = 0; count < 5; count++) await signIn(org, email, 'wrong', ipAddress).expect(401);
          const { body, headers } = await signIn(org, email, PASSWORD, ipAddress).expect(429);
          expect(body.code).toBe('sign_in_locked');
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(55);
          expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
        });
        expect(events.filter(({ type }) => type === 'user.login_failed').map(({ data }) => data.failedAttempts)).toEqual([
          1, 2, 3, 4, 5, 5,
        ]);
        const data = { rule: 'many_failures', riskLevel: 'medium', action: 'locked', signals: { email, ipAddress, failures: 5 } };
        expect(events.filter(({ type }) => type === 'security.suspicious_activity')).toMatchObject([{ data }]);
      }
      await signIn(org, user.email).expect(200);
      const ipAddress = newIpAddress();
      for (let count = 0; count < 5; count++) await signIn(org, user.email, 'wrong', ipAddress).expect(401);
      await later(app, 61_000, async () => {
        await signIn(org, user.email, 'wrong', ipAddress).expect(401);
        const { headers } = await signIn(org, user.email, PASSWORD, ipAddress).expect(429);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(110);
      });
      const events = await eventsDuring(app, () =>
        later(app, 190_000, () => signIn(org, user.email, PASSWORD, ipAddress).expect(200)),
      );
      expect(events.map(({ type, data }) => data.rule ?? type)).toEqual(['success_after_failures', 'user.login']);
      expect(events[0]!.data.signals).toMatchObject({ userId: user.id, failures: 6, ipAddress });
      // The success has reset the failures.
      for (let count = 0; count < 4; count++) await signIn(org, user.email, 'wrong', ipAddress).expect(401);
      await signIn(org, user.email, PASSWORD, ipAddress).expect(200);
    });

    it('locks the account after five of fifty concurrent guesses', async () => {
      await using other = await startApp({ ...app.config });
      const org = await newOrganization(app);
      const user = await person(org);
      const ipAddress = newIpAddress();
      const guess = (password: string) =>
        Promise.all(
          Array.from({ length: 50 }, async (_, index) => {
            const process = index % 2 === 0 ? app : other;
            return (await login(process, org.id, user.email, password, from(ipAddress)).whenServed()).status;
          }),
        );
      const right = await guess(PASSWORD);
      expect(new Set(right)).toEqual(new Set([200]));
      const events = await eventsDuring(app, async () => {
        const wrong = await guess('wrong');
        expect(wrong.filter((status) => status === 401)).toHaveLength(5);
        expect(wrong.filter((status) => status === 429)).toHaveLength(45);
      });
      expect(events.filter(({ type }) => type === 'security.suspicious_activity')).toHaveLength(1);
    });

    it('locks the account only for unknown IP addresses after a hundred failures', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      const knownAddress = newIpAddress();
      await signIn(org, user.email, PASSWORD, knownAddress).expect(200);
      for (let count = 0; count < 3; count++) await signIn(org, user.email, 'wrong').expect(401);
      // Sets the failures as if they were from 97 more IP addresses.
      const [row] = await app.database.query<{ failures: number }>(
        `UPDATE sign_in_failures SET failures = failures + 97 WHERE tenant_id = $1 AND address = '' AND failures = 3 RETURNING failures`,
        [org.id],
      );
      expect(row).toEqual({ failures: 100 });
      const { headers } = await signIn(org, user.email).expect(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(29 * 24 * 3_600);
      await signIn(org, user.email, PASSWORD, knownAddress).expect(200);
      await signIn(org, user.email).expect(200);
    });

    it('is reported if one IP address fails for twenty accounts', async () => {
      const org = await newOrganization(app);
      const ipAddress = newIpAddress();
      const fail = (index: number) => signIn(org, `guess-${index}@example.com`, 'wrong', ipAddress).expect(401);
      const events = await eventsDuring(app, async () => {
        for (let index = 0; index < 19; index++) await fail(index);
      });
      const rules = (all: typeof events) =>
        all.filter(({ type }) => type === 'security.suspicious_activity').map(({ data }) => data.rule);
      expect(rules(events)).toEqual([]);
      const twentieth = await eventsDuring(app, async () => {
        await fail(19);
        await fail(20);
      });
      expect(rules(twentieth)).toEqual(['many_accounts']);
      expect(twentieth.find(({ data }) => data.rule)!.data).toMatchObject({ signals: { ipAddress, accounts: 20 } });
      // After ten minutes, these failures no longer count.
      const elevenMinutesLater = await eventsDuring(app, () => later(app, 2 * HOUR_MS, () => fail(21)));
      expect(rules(elevenMinutesLater)).toEqual([]);
    });
  });

  it('reports a new device after 90 days of absence', async () => {
    const org = await newOrganization(app);
    const rulesAfter = async (days: number, userAgent: string, email: string) => {
      const events = await eventsDuring(app, () =>
        later(app, days * DAY_MS, () => signIn(org, email, PASSWORD, newIpAddress(), userAgent).expect(200)),
      );
      return events.map(({ type, data }) => data.rule ?? type);
    };
    const ada = await person(org);
    expect(await rulesAfter(0, 'Firefox', ada.email)).toEqual(['user.login']);
    expect(await rulesAfter(91, 'Firefox', ada.email)).toEqual(['user.login']);
    expect(await rulesAfter(182, 'Safari', ada.email)).toEqual(['new_device_after_absence', 'user.login']);
    const bob = await person(org);
    expect(await rulesAfter(0, 'Firefox', bob.email)).toEqual(['user.login']);
    expect(await rulesAfter(89, 'Safari', bob.email)).toEqual(['user.login']);
  });
});

describe('GET /v1/auth/sign-in-options', () => {
  const ask = (handle: string): PendingResponse =>
    app.api.anonymous.get(`/v1/auth/sign-in-options?organization=${encodeURIComponent(handle)}`);
  const optionsOf = async (handle: string): Promise<TestBody> => (await ask(handle).expect(200)).body.data;

  it('returns the defaults if nothing is set, and inherited settings and branding', async () => {
    const { id, slug, name } = await newOrganization(app);
    const expected = {
      serviceName: app.config.serviceName,
      organization: { id, slug, name, branding: { primaryColor: null, hasLogo: false } },
      locale: 'en',
      methods: ['password', 'passkey'],
      ssoRequired: false,
      identityProviders: [],
      signUp: { open: false, allowedDomains: [] },
      passwordPolicy: DEFAULT_POLICY,
    };
    expect(await optionsOf(slug)).toEqual(expected);
    expect(await optionsOf(id)).toEqual(expected);
    const top = await newOrganization(app, {
      branding: { primaryColor: '#ffd400', logo: 'https://cdn.example.com/logo.png' },
      settings: {
        allowPublicSignup: true,
        allowedDomains: ['example.com'],
        mfaMethods: ['totp'],
        defaultLocale: 'DE-at',
        passwordPolicy: { minLength: 20, requireNumbers: true },
      },
    });
    const child = await newOrganization(app, { parentId: top.id, settings: { passwordPolicy: { minLength: 12 } } });
    const shown = await optionsOf(child.slug);
    expect(shown).toMatchObject({
      organization: { id: child.id, branding: { primaryColor: '#ffd400', hasLogo: true } },
      locale: 'de-AT',
      methods: ['password'],
      signUp: { open: true, allowedDomains: ['example.com'] },
      passwordPolicy: { minLength: 12, requireNumbers: true },
    });
    expect(shown.passwordPolicy.rules).toContain('At least one digit.');
  });

  it('lists only enabled identity providers, nearest first', async () => {
    const top = await newOrganization(app);
    const child = await newOrganization(app, { parentId: top.id });
    const provider = (org: TestBody, name: string, fields: object = {}): Promise<TestBody> =>
      made(app, `/v1/organizations/${org.id}/identity-providers`, { ...PROVIDER, name, ...fields });
    const parentProvider = await provider(top, 'Company login');
    const own = await provider(child, 'Branch login');
    await provider(child, 'Old login', { enabled: false });
    await provider(await newOrganization(app), 'Login of another tenant');
    expect((await optionsOf(child.id)).identityProviders).toEqual([
      { id: own.id, name: 'Branch login', type: 'oidc' },
      { id: parentProvider.id, name: 'Company login', type: 'oidc' },
    ]);
    expect((await optionsOf(top.id)).identityProviders).toEqual([{ id: parentProvider.id, name: 'Company login', type: 'oidc' }]);
  });

  it('returns the sign-up domains only if sign-up is open, and 404 for an unknown or deleted organization', async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true, allowedDomains: ['example.com'] } });
    await app.api.platform.post(`/v1/organizations/${org.id}/suspend`, {}).expect(200);
    expect((await optionsOf(org.id)).signUp).toEqual({ open: false, allowedDomains: [] });
    const closed = await newOrganization(app, { settings: { allowedDomains: ['example.com'] } });
    expect((await optionsOf(closed.id)).signUp).toEqual({ open: false, allowedDomains: [] });
    const deleted = await newOrganization(app);
    await app.api.platform.delete(`/v1/organizations/${deleted.id}`).expect(204);
    for (const handle of [deleted.id, deleted.slug, 'no-such-organization'])
      await ask(handle).expect(404, 'organization_not_found');
  });
});
