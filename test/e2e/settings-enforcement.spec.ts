import { describe, expect, it } from '@jest/globals';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import { startApp } from '../support/app.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { CALLBACK, StartedRequest } from '../support/oauth-application.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { PageClient } from '../support/page-client.js';
import { activeUser, from, later, login, mailedToken, NEW_PASSWORD, PASSWORD, sessionToken } from '../support/sign-in.js';
import { decodeJwt } from 'jose';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';
import { signedIn } from '../support/signed-in.js';

/** Two values of a setting, and a function that returns whether the strict value applies in an organization. */
interface Enforcement {
  readonly strict: unknown;
  readonly lax: unknown;
  readonly isStrictByDefault?: true;
  appliesStrict(organization: string): Promise<boolean>;
}

describe('an organization setting', () => {
  const app = testApp();
  let counter = 0;

  const organization = async (settings: object, parentId?: string): Promise<string> => {
    const { id } = await newOrganization(app, { parentId });
    // `ssoRequired` needs an identity provider.
    if (parentId === undefined) await insertTrustedProvider(app, id);
    await change(id, settings);
    return id;
  };
  const change = (id: string, settings: object) => app.api.platform.patch(at(id), { settings }).expect(200);
  const signUp = (org: string, email: string, password = PASSWORD): PendingResponse =>
    app.api.anonymous.post('/v1/auth/sign-up', { organization: org, email, password });
  const newEmail = (domain = 'example.com'): string => `person-${++counter}@${domain}`;
  const users = (org: string): string => at(org, '/users');
  /** Returns whether the response has the second of two statuses. */
  const isRefused = async (response: PendingResponse, accepted: number, refused: number): Promise<boolean> => {
    const { status } = await response;
    expect([accepted, refused]).toContain(status);
    return status === refused;
  };
  /** Returns the rules that a password violates when a user accepts an invitation. */
  async function violatedRules(org: string, password: string): Promise<string[]> {
    const email = newEmail();
    await made(app, users(org), { email, sendInvitation: true });
    const token = await mailedToken(app, email, 'invitation');
    const { status, body } = await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password });
    if (status !== 200) expect([status, body.code]).toEqual([422, 'password_refused']);
    return (body.errors ?? []).map(({ code }: TestBody) => code);
  }
  const rule = (password: string, code: string, strict: unknown = true, lax: unknown = false): Enforcement => ({
    strict,
    lax,
    appliesStrict: async (org) => {
      const violated = await violatedRules(org, password);
      expect(violated.filter((each) => each !== code)).toEqual([]);
      return violated.includes(code);
    },
  });
  const memberOf = async (org: string, ...roles: string[]) => {
    const { id, email } = await activeUser(app, org, { email: newEmail(), ...(roles.length > 0 ? { roles } : {}) });
    return { id, email, client: app.api.as(await sessionToken(app, org, email)) };
  };
  const keyOf = async (org: string, creator: TestClient): Promise<TestBody> =>
    await made(creator, at(org, '/api-keys'), { name: 'k', scopes: ['users:read'] });
  const endsAfterFiveMinutes = async (org: string): Promise<boolean> => {
    const isSignedInAfter = async (ms: number): Promise<boolean> => {
      const { client } = await memberOf(org);
      return later(app, ms, async () => (await client.get('/v1/auth/me')).status === 200);
    };
    expect(await isSignedInAfter(290_000)).toBe(true);
    return !(await isSignedInAfter(310_000));
  };

  /** Returns what an application asks a member, or the error with which the request ends. */
  const answerTo = async (org: string, clientId: string): Promise<string | null> => {
    const { email } = await activeUser(app, org, { email: newEmail() });
    const browser = new PageClient(app);
    browser.cookies = `${app.config.serviceName}-session=${await sessionToken(app, org, email)}`;
    const query = { client_id: clientId, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', organization: org };
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const address = `/oauth/authorize?${new URLSearchParams({ ...query, ...pkce })}`;
    const page = await new StartedRequest(app, browser, address, { verifier: '', state: '', nonce: '' }).open();
    const id = page.searchParams.get('interaction');
    return id ? (await browser.get(`/v1/oauth/interactions/${id}`)).body.data.prompt : page.searchParams.get('error');
  };

  const SETTINGS: Record<string, Enforcement> = {
    applicationApproval: {
      strict: 'approved',
      lax: 'anyone',
      appliesStrict: async (org) => {
        const application = { name: 'Calendar', type: 'web', redirectUris: [CALLBACK] };
        return (await answerTo(org, (await made(app, '/v1/oauth-clients', application)).id)) === 'approval';
      },
    },
    dynamicClientRegistration: {
      strict: false,
      lax: true,
      isStrictByDefault: true,
      appliesStrict: async (org) => {
        await organization({ dynamicClientRegistration: true });
        const { body } = await app.api.anonymous.post('/oauth/register', { redirect_uris: [CALLBACK] });
        return (await answerTo(org, body.client_id)) === 'access_denied';
      },
    },
    allowPublicSignup: {
      strict: false,
      lax: true,
      isStrictByDefault: true,
      appliesStrict: (org) => isRefused(signUp(org, newEmail()), 202, 403),
    },
    requireMfa: {
      strict: true,
      lax: false,
      appliesStrict: async (org) => {
        const { email } = await activeUser(app, org, { email: newEmail() });
        return (await login(app, org, email).expect(200)).body.data.mfaEnrolmentRequired;
      },
    },
    ssoRequired: {
      strict: true,
      lax: false,
      appliesStrict: async (org) => {
        const email = newEmail();
        const { id } = await made(app, users(org), { email });
        await app.api.platform.post(`${users(org)}/${id}/activate`).expect(200);
        await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org, email }).expect(202);
        return (await mailsTo(app, email)).every(({ template }) => template !== 'password_reset');
      },
    },
    mfaMethods: {
      strict: ['passkey'],
      lax: ['totp'],
      appliesStrict: async (org) => {
        const { client } = await memberOf(org);
        return isRefused(client.post('/v1/auth/mfa/totp', {}), 200, 422);
      },
    },
    sessionTimeout: { strict: 300, lax: 900, appliesStrict: endsAfterFiveMinutes },
    sessionLifetime: { strict: 300, lax: 900, appliesStrict: endsAfterFiveMinutes },
    maxApiKeyLifetime: {
      strict: 86_400,
      lax: 0,
      appliesStrict: async (org) => (await keyOf(org, app.api.platform)).expiresAt !== null,
    },
    disableFlaggedApiKeys: {
      strict: true,
      lax: false,
      appliesStrict: async (org) => {
        const { id, client } = await memberOf(org, 'admin');
        const key = await keyOf(org, client);
        await app.api.platform.post(`${users(org)}/${id}/suspend`).expect(200);
        while (await app.app.get(ApiKeyOwnerCheckService).run());
        return (await read(app, at(org, `/api-keys/${key.id}`))).disabled;
      },
    },
    disableFlaggedWebhooks: {
      strict: true,
      lax: false,
      appliesStrict: async (org) => {
        const { id, client } = await memberOf(org, 'admin');
        const webhook = { url: 'https://example.com/hooks', events: ['user.*'] };
        const webhooks = at(org, '/webhooks');
        const { data } = (await client.post(webhooks, webhook).expect(201)).body;
        await app.api.platform.post(`${users(org)}/${id}/suspend`).expect(200);
        while (await app.app.get(FlaggedWebhooks).run());
        return !(await read(app, `${webhooks}/${data.id}`)).enabled;
      },
    },
    allowedNetworks: {
      strict: ['198.51.100.0/24'],
      lax: [],
      appliesStrict: async (org) => {
        const { client } = await memberOf(org);
        return isRefused(client.get(at(org)), 200, 403);
      },
    },
    impersonationApproval: {
      strict: 'user',
      lax: 'none',
      appliesStrict: async (org) => {
        const { client } = await signedIn(app, org, { roles: ['owner'] });
        const { id } = await signedIn(app, org);
        const request = { reason: 'Ticket', durationSeconds: 60 };
        return (await made(client, `${users(org)}/${id}/impersonations`, request)).status === 'pending';
      },
    },
    'passwordPolicy.minLength': rule(PASSWORD, 'too_short', 40, 15),
    'passwordPolicy.requireUppercase': rule(PASSWORD, 'uppercase_missing'),
    'passwordPolicy.requireNumbers': rule(PASSWORD, 'number_missing'),
    'passwordPolicy.requireSymbols': rule(PASSWORD.replaceAll(' ', ''), 'symbol_missing'),
    'passwordPolicy.preventReuse': {
      strict: 2,
      lax: 0,
      appliesStrict: async (org) => {
        const { client } = await memberOf(org);
        const change = (currentPassword: string, newPassword: string) =>
          client.post('/v1/auth/change-password', { currentPassword, newPassword });
        await change(PASSWORD, NEW_PASSWORD).expect(204);
        const { status, body } = await change(NEW_PASSWORD, PASSWORD);
        if (status !== 204) expect(body.errors[0].code).toBe('password_reused');
        return status === 422;
      },
    },
    allowedDomains: {
      strict: ['allowed.example'],
      lax: [],
      appliesStrict: async (org) => {
        await made(app, users(org), { email: newEmail('allowed.example') });
        return isRefused(app.api.platform.post(users(org), { email: newEmail('other.example') }), 201, 422);
      },
    },
    defaultRole: {
      strict: 'role_viewer',
      lax: 'role_member',
      appliesStrict: async (org) => {
        const { id } = await made(app, users(org), { email: newEmail() });
        const { roles } = await read(app, `${users(org)}/${id}`);
        expect(['role_viewer', 'role_member']).toContain(roles[0].id);
        return roles[0].id === 'role_viewer';
      },
    },
    defaultLocale: {
      strict: 'de',
      lax: 'en',
      appliesStrict: async (org) => {
        const email = newEmail();
        await made(app, users(org), { email, sendInvitation: true });
        const [mail] = await mailsTo(app, email);
        expect(mail!.subject).toMatch(/^(?:Sie sind zu .* eingeladen|You're invited to join .*)$/);
        const { body } = await app.api.anonymous.get(`/v1/auth/sign-in-options?organization=${org}`).expect(200);
        expect(mail!.html).toContain(`<html lang="${body.data.locale}">`);
        return mail!.subject.startsWith('Sie sind');
      },
    },
  };

  it('has an enforcement test', async () => {
    const { settings } = await read(app, at(await organization({})));
    // clientIdMetadataDomains needs a server with documents (self-described-clients.spec.ts).
    const tried = ['clientIdMetadataDomains', ...Object.keys(SETTINGS).map((path) => path.split('.')[0]!)];
    expect(new Set(tried)).toEqual(new Set(Object.keys(settings)));
  });

  it.each(Object.entries(SETTINGS))(
    '%s applies in the organization that sets the value, and in descendants without an override',
    async (path, { strict, lax, isStrictByDefault = false, appliesStrict }) => {
      const [name, part] = path.split('.') as [string, string | undefined];
      const of = (value: unknown): object => ({ [name]: part === undefined ? value : { [part]: value } });
      expect(await appliesStrict(await organization({}))).toBe(isStrictByDefault);
      const isStrict = await organization(of(strict));
      expect(await appliesStrict(await organization(of(lax), isStrict))).toBe(false);
      const child = await organization({}, isStrict);
      expect(await appliesStrict(child)).toBe(true);
      await change(isStrict, of(lax));
      expect(await appliesStrict(child)).toBe(false);
      if (sized(true, false, false)) return;
      const isLax = await organization(of(lax));
      expect(await appliesStrict(await organization(of(strict)))).toBe(true);
      expect(await appliesStrict(await organization({}, isLax))).toBe(false);
      expect(await appliesStrict(await organization(of(strict), isLax))).toBe(true);
    },
  );

  it('a sign-up applies allowedDomains, the password policy and the defaultRole', async () => {
    const passwordPolicy = { requireNumbers: true };
    const parent = await organization({ allowedDomains: ['allowed.example'], passwordPolicy, defaultRole: 'role_viewer' });
    const org = await organization({ allowPublicSignup: true }, parent);
    const email = newEmail('allowed.example');
    await signUp(org, newEmail(), `${PASSWORD} 1`).expect(422, 'domain_not_allowed');
    await signUp(org, email).expect(422, 'password_refused');
    await signUp(org, email, `${PASSWORD} 1`).expect(202);
    const token = await mailedToken(app, email, 'email_verification');
    await app.api.anonymous.post('/v1/auth/verify-email', { token }).expect(200);
    expect(await read(app, `${users(org)}?email=${email}`)).toMatchObject([{ roles: [{ id: 'role_viewer', name: 'viewer' }] }]);
  });

  describe('of the session', () => {
    const ACCEPTED = [200, undefined];
    /** Signs in a user of `managing` at `signIn`, makes the user a viewer of `accessed`, and returns how the session is answered. */
    const session = async (managing: string, signIn: string, accessed: string) => {
      const { id, email } = await activeUser(app, managing, { email: newEmail() });
      await app.api.platform.post(`/v1/organizations/${accessed}/members`, { userId: id, role: 'viewer' }).expect(201);
      const token = await sessionToken(app, signIn, email);
      const client = app.api.as(token);
      const ask = async (path: string) => {
        const { status, body } = await client.get(path);
        return [status, body.code];
      };
      const verified = async (org?: string) =>
        (await app.api.platform.post('/v1/sessions/verify', { token, organization: org }).expect(200)).body.data;
      return { id, client, access: () => ask(`/v1/organizations/${accessed}/members`), me: () => ask('/v1/auth/me'), verified };
    };
    const tree = async () => {
      const parent = await organization({});
      return { parent, child: await organization({}, parent), other: await organization({}, parent) };
    };

    const OPEN = { requireMfa: false, allowedNetworks: [], sessionTimeout: 86_400, sessionLifetime: 86_400 };
    it.each<[string, object, number, [number, string], [number, string]]>([
      ['requireMfa', { requireMfa: true }, 0, [403, 'mfa_enrolment_required'], [403, 'mfa_required']],
      ['allowedNetworks', { allowedNetworks: ['192.0.2.0/24'] }, 0, [403, 'network_not_allowed'], [403, 'network_not_allowed']],
      ['sessionTimeout', { sessionTimeout: 900 }, 1_800_000, [401, 'unauthenticated'], [401, 'reauthentication_required']],
      ['sessionLifetime', { sessionLifetime: 900 }, 1_800_000, [401, 'unauthenticated'], [401, 'reauthentication_required']],
    ])(
      '%s is the strictest of the managing, the signed-in and the accessed organization',
      async (name, settings, waitMs, bySession, byAccess) => {
        for (const strict of ['parent', 'child', 'other'] as const) {
          const ids = await tree();
          const { access, me, verified } = await session(ids.parent, ids.child, ids.other);
          expect(await access()).toEqual(ACCEPTED);
          for (const id of [ids.child, ids.other]) await change(id, OPEN);
          await change(ids[strict], settings);
          await later(app, waitMs, async () => {
            // This first request after the pause does not make the session usable again.
            expect((await me())[0]).toBe(waitMs > 0 && strict !== 'other' ? 401 : 200);
            expect(await access()).toEqual(strict === 'other' ? byAccess : bySession);
            if (name !== 'allowedNetworks') expect((await verified(ids.other)).active).toBe(false);
          });
        }
      },
    );

    it('starts the times of an accessed organization again when the user confirms the identity', async () => {
      const { parent, child, other } = await tree();
      await change(other, { sessionLifetime: 900, sessionTimeout: 600 });
      const { client, access } = await session(parent, child, other);
      await later(app, 1_000_000, async () => {
        expect(await access()).toEqual([401, 'reauthentication_required']);
        await client.post('/v1/auth/reauthentication/password', { password: PASSWORD }).expect(200);
        expect(await access()).toEqual(ACCEPTED);
      });
    });

    it('names the organization of the sign-in only if the user has a role there', async () => {
      const { parent, child } = await tree();
      const { id, client, verified } = await session(parent, child, parent);
      const orgOf = async () => {
        const { accessToken } = (await client.post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201)).body
          .data;
        return decodeJwt(accessToken).org;
      };
      expect([await orgOf(), (await verified()).organizationId]).toEqual([undefined, undefined]);
      await app.api.platform.post(`/v1/organizations/${child}/members`, { userId: id }).expect(201);
      expect([await orgOf(), (await verified()).organizationId]).toEqual([child, child]);
      await change(parent, { sessionTimeout: 60 });
      expect(
        (await client.post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201)).body.data.expiresIn,
      ).toBeLessThanOrEqual(60);
    });
  });

  it('sessionLifetime changes the expiry time in the session list', async () => {
    const org = await organization({});
    const { id, client } = await memberOf(org);
    const sessions = () => read(app, `${users(org)}/${id}/sessions`);
    const [before] = await sessions();
    await change(org, { sessionLifetime: 300 });
    expect((await sessions()).map(({ expiresAt }: TestBody) => expiresAt)).toEqual([
      new Date(Date.parse(before.createdAt) + 300_000).toISOString(),
    ]);
    await later(app, 310_000, async () => {
      await client.get('/v1/auth/me').expect(401);
      expect(await sessions()).toEqual([]);
    });
  });
});

it('the allowedNetworks setting lets users, but not API keys, manage the organization only from these networks', async () => {
  await using app = await startApp({ trustProxy: ['127.0.0.1'] });
  const org = (await newOrganization(app)).id;
  const { client } = await signedIn(app, org, { roles: ['admin'] });
  const users = async (address: string): Promise<string | number> => {
    const { status, body } = await client.get(at(org, '/users'), from(address));
    return body.code ?? status;
  };
  const allow = (allowedNetworks: string[] | null) =>
    app.api.platform.patch(at(org), { settings: { allowedNetworks } }).expect(200);
  await allow(['203.0.113.0/24', '2001:db8::/32']);
  for (const address of ['203.0.113.7', '2001:db8::5', '203.0.113.7:51234']) expect(await users(address)).toBe(200);
  expect(await users('198.51.100.9')).toBe('network_not_allowed');
  const role = { name: 'r', permissions: [] };
  await client.post(at(org, '/roles'), role, from('198.51.100.9')).expect(403, undefined, 'from the address 198.51.100.9');
  await (await keyClient(app, org, ['users:read'])).get(at(org, '/users'), from('198.51.100.9')).expect(200);
  // The address of the proxy says nothing about the client.
  await allow(['127.0.0.0/8']);
  expect(await users('unknown')).toBe('network_not_allowed');
  await allow(null);
  expect(await users('198.51.100.9')).toBe(200);
  await allow(['203.0.113.0/24']);
  await client.post('/v1/auth/logout', {}, from('198.51.100.9')).expect(204);
});
