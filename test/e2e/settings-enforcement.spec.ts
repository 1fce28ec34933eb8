import { describe, expect, it } from '@jest/globals';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import type { TestBody, TestClient } from '../support/http-client.js';
import { invitationToken, mailsTo } from '../support/mailbox.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { activeUser, later, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { decodeJwt } from 'jose';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';

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
    const create = { name: `Organization ${++counter}`, parentId };
    const { id } = (await app.api.platform.post('/v1/organizations', create).expect(201)).body.data;
    // `ssoRequired` needs an identity provider.
    if (parentId === undefined) await insertTrustedProvider(app, id);
    await change(id, settings);
    return id;
  };
  const change = (id: string, settings: object) => app.api.platform.patch(`/v1/organizations/${id}`, { settings }).expect(200);
  const newEmail = (domain = 'example.com'): string => `person-${++counter}@${domain}`;
  const users = (org: string): string => `/v1/organizations/${org}/users`;
  /** Returns the rules that a password violates when a user accepts an invitation. */
  async function violatedRules(org: string, password: string): Promise<string[]> {
    const email = newEmail();
    await app.api.platform.post(users(org), { email, sendInvitation: true }).expect(201);
    const token = await invitationToken(app, email);
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
    (await creator.post(`/v1/organizations/${org}/api-keys`, { name: 'k', scopes: ['users:read'] }).expect(201)).body.data;
  const endsAfterFiveMinutes = async (org: string): Promise<boolean> => {
    const isSignedInAfter = async (ms: number): Promise<boolean> => {
      const { client } = await memberOf(org);
      return later(app, ms, async () => (await client.get('/v1/auth/me')).status === 200);
    };
    expect(await isSignedInAfter(290_000)).toBe(true);
    return !(await isSignedInAfter(310_000));
  };

  const SETTINGS: Record<string, Enforcement> = {
    allowPublicSignup: {
      strict: false,
      lax: true,
      isStrictByDefault: true,
      appliesStrict: async (org) => {
        const { status } = await app.api.anonymous.post('/v1/auth/sign-up', {
          organization: org,
          email: newEmail(),
          password: PASSWORD,
        });
        expect([202, 403]).toContain(status);
        return status === 403;
      },
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
        const { id } = (await app.api.platform.post(users(org), { email }).expect(201)).body.data;
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
        const { status } = await client.post('/v1/auth/mfa/totp', {});
        expect([200, 201, 422]).toContain(status);
        return status === 422;
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
        return (await app.api.platform.get(`/v1/organizations/${org}/api-keys/${key.id}`).expect(200)).body.data.disabled;
      },
    },
    disableFlaggedWebhooks: {
      strict: true,
      lax: false,
      appliesStrict: async (org) => {
        const { id, client } = await memberOf(org, 'admin');
        const webhook = { url: 'https://example.com/hooks', events: ['user.*'] };
        const webhooks = `/v1/organizations/${org}/webhooks`;
        const { data } = (await client.post(webhooks, webhook).expect(201)).body;
        await app.api.platform.post(`${users(org)}/${id}/suspend`).expect(200);
        while (await app.app.get(FlaggedWebhooks).run());
        return !(await app.api.platform.get(`${webhooks}/${data.id}`).expect(200)).body.data.enabled;
      },
    },
    allowedNetworks: {
      strict: ['198.51.100.0/24'],
      lax: [],
      appliesStrict: async (org) => {
        const { client } = await memberOf(org);
        const { status } = await client.get(`/v1/organizations/${org}`);
        expect([200, 403]).toContain(status);
        return status === 403;
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
        await app.api.platform.post(users(org), { email: newEmail('allowed.example') }).expect(201);
        const { status } = await app.api.platform.post(users(org), { email: newEmail('other.example') });
        expect([201, 422]).toContain(status);
        return status === 422;
      },
    },
    defaultRole: {
      strict: 'role_viewer',
      lax: 'role_member',
      appliesStrict: async (org) => {
        const { id } = (await app.api.platform.post(users(org), { email: newEmail() }).expect(201)).body.data;
        const { roles } = (await app.api.platform.get(`${users(org)}/${id}`).expect(200)).body.data;
        expect(['role_viewer', 'role_member']).toContain(roles[0].id);
        return roles[0].id === 'role_viewer';
      },
    },
    defaultLocale: {
      strict: 'de',
      lax: 'en',
      appliesStrict: async (org) => {
        const email = newEmail();
        await app.api.platform.post(users(org), { email, sendInvitation: true }).expect(201);
        const [mail] = await mailsTo(app, email);
        expect(mail!.subject).toMatch(/^(?:Sie sind zu .* eingeladen|You're invited to join .*)$/);
        const { body } = await app.api.anonymous.get(`/v1/auth/sign-in-options?organization=${org}`).expect(200);
        expect(mail!.html).toContain(`<html lang="${body.data.locale}">`);
        return mail!.subject.startsWith('Sie sind');
      },
    },
  };

  it('has an enforcement test', async () => {
    const { body } = await app.api.platform.get(`/v1/organizations/${await organization({})}`).expect(200);
    const tried = Object.keys(SETTINGS).map((path) => path.split('.')[0]!);
    expect(new Set(tried)).toEqual(new Set(Object.keys(body.data.settings)));
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

  it('requireMfa restricts existing sessions to MFA enrollment when the parent organization requires MFA', async () => {
    const parent = await organization({});
    const org = await organization({}, parent);
    const { client } = await memberOf(org);
    await client.get(`/v1/organizations/${org}`).expect(200);
    await change(parent, { requireMfa: true });
    for (const rejected of [
      client.get(`/v1/organizations/${org}`),
      client.post('/v1/auth/change-password', { newPassword: NEW_PASSWORD }),
    ])
      expect((await rejected.expect(403)).body.code).toBe('mfa_enrolment_required');
    await client.get('/v1/auth/mfa').expect(200);
    await change(org, { requireMfa: false });
    await client.get(`/v1/organizations/${org}`).expect(200);
  });

  describe('a sign-up', () => {
    const signUp = (org: string, email: string, password = PASSWORD) =>
      app.api.anonymous.post('/v1/auth/sign-up', { organization: org, email, password });

    it('applies allowedDomains and the password policy', async () => {
      const parent = await organization({ allowedDomains: ['allowed.example'], passwordPolicy: { requireNumbers: true } });
      const org = await organization({ allowPublicSignup: true }, parent);
      expect((await signUp(org, newEmail(), `${PASSWORD} 1`).expect(422)).body.code).toBe('domain_not_allowed');
      expect((await signUp(org, newEmail('allowed.example')).expect(422)).body.code).toBe('password_refused');
      await signUp(org, newEmail('allowed.example'), `${PASSWORD} 1`).expect(202);
    });

    it('assigns the defaultRole', async () => {
      const parent = await organization({ defaultRole: 'role_viewer' });
      const org = await organization({ allowPublicSignup: true }, parent);
      const email = newEmail();
      await signUp(org, email).expect(202);
      await app.api.anonymous
        .post('/v1/auth/verify-email', { token: await mailedToken(app, email, 'email_verification') })
        .expect(200);
      const { body } = await app.api.platform.get(`${users(org)}?email=${email}`).expect(200);
      expect(body.data[0].roles).toEqual([{ id: 'role_viewer', name: 'viewer' }]);
    });
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
        const { accessToken } = (await client.post('/v1/auth/token').expect(201)).body.data;
        return decodeJwt(accessToken).org;
      };
      expect([await orgOf(), (await verified()).organizationId]).toEqual([undefined, undefined]);
      await app.api.platform.post(`/v1/organizations/${child}/members`, { userId: id }).expect(201);
      expect([await orgOf(), (await verified()).organizationId]).toEqual([child, child]);
      await change(parent, { sessionTimeout: 60 });
      expect((await client.post('/v1/auth/token').expect(201)).body.data.expiresIn).toBeLessThanOrEqual(60);
    });
  });

  it('sessionLifetime changes the expiry time in the session list', async () => {
    const org = await organization({});
    const { id, client } = await memberOf(org);
    const sessions = async () => (await app.api.platform.get(`${users(org)}/${id}/sessions`).expect(200)).body.data;
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

  it('defaultRole can’t be reset to a role whose permissions the caller lacks', async () => {
    const parent = await organization({});
    const strong = { name: 'strong', permissions: ['users:*', 'webhooks:*', 'break_glass:*'] };
    const { id: roleId } = (await app.api.platform.post(`/v1/organizations/${parent}/roles`, strong).expect(201)).body.data;
    await change(parent, { defaultRole: roleId });
    const child = await organization({ defaultRole: 'role_member' }, parent);
    const weak = { name: 'weak', permissions: ['organizations:*', 'users:*'] };
    const weakRole = (await app.api.platform.post(`/v1/organizations/${child}/roles`, weak).expect(201)).body.data;
    const { client } = await memberOf(child, weakRole.id);
    const patch = (settings: object) => client.patch(`/v1/organizations/${child}`, { settings });
    await patch({ sessionTimeout: 600 }).expect(200);
    const unknown = await patch({ defaultRole: 'role_nothing' }).expect(400);
    expect(unknown.body.errors).toMatchObject([{ pointer: '/settings/defaultRole' }]);
    expect((await patch({ defaultRole: null }).expect(403)).body.detail).toMatch(/The role "strong" has permissions/);
  });
});
