import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { mailsTo } from '../support/mailbox.js';
import { DEVICE_CODE, OAuthApplication, refusal, startIssuer, type Tokens } from '../support/oauth-application.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';

let app: TestApp;
let acme: string;
let team: string;
let owner: SignedIn;
let member: SignedIn;
/** An application of the platform, which each organization must approve. */
let application: OAuthApplication;

const platform = () => app.api.platform;
const at = (organization: string, rest = '') => `/v1/organizations/${organization}${rest}`;
const approvals = (organization: string, rest = '') => at(organization, `/application-approvals${rest}`);

beforeAll(async () => {
  app = await startIssuer();
  acme = (await platform().post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  team = (await platform().post('/v1/organizations', { name: 'Team', parentId: acme }).expect(201)).body.data.id;
  owner = await signedIn(app, acme, { roles: ['owner'] });
  member = await signedIn(app, team, { roles: ['member'] });
  application = await OAuthApplication.create(app, undefined, {
    name: 'Calendar',
    resources: [{ identifier: app.config.baseUrl, scopes: ['members:read'] }],
  });
});

afterAll(() => app?.close());

const rule = (applicationApproval: string) => platform().patch(at(acme), { settings: { applicationApproval } }).expect(200);

/** Opens an authorization request, and returns the browser, the question and its path. */
async function question(user: SignedIn, client = application) {
  const request = await client.start(user);
  const page = await request.open();
  const path = `/v1/oauth/interactions/${page.searchParams.get('interaction')}`;
  const { body } = await request.browser.get(path);
  return {
    request,
    path,
    shown: body.data,
    ask: (reason = 'For work') => request.browser.post(`${path}/approval-request`, { reason }),
  };
}

const works = async (client: OAuthApplication, user: SignedIn, organization: string): Promise<boolean> => {
  const own = { scope: 'openid members:read', resource: app.config.baseUrl };
  const tokens = await client.signIn(user, own).catch(() => undefined);
  return tokens !== undefined && (await app.api.as(tokens.access_token).get(at(organization, '/members'))).status === 200;
};

describe('applicationApproval', () => {
  it('lets a member ask, an owner decide, and the member use the application until the approval is revoked', async () => {
    await rule('approved');
    const { request, path, shown, ask } = await question(member);
    expect(shown).toMatchObject({ prompt: 'approval', approval: { canAsk: true, status: null } });
    expect((await request.browser.post(`${path}/consent`)).status).toBe(409);
    const asked = await ask('For our calendar');
    expect(asked.status).toBe(200);
    expect(await mailsTo(app, owner.email)).toMatchObject([{ template: 'application_requested' }]);
    const [pending] = (await owner.client.get(approvals(team)).expect(200)).body.data;
    const requests = [{ userId: member.id, email: member.email, reason: 'For our calendar' }];
    expect(pending).toMatchObject({ status: 'pending', application: { name: 'Calendar' }, requests });
    expect((await question(member)).shown.approval.status).toBe('pending');

    await member.client.post(approvals(team, `/${pending.id}/approve`)).expect(403);
    await owner.client.post(approvals(team, `/${pending.id}/approve`)).expect(200);
    expect((await mailsTo(app, member.email)).map(({ template }) => template)).toContain('application_decided');
    const callback = await request.finish(undefined, new URL(asked.body.data.redirectTo).pathname);
    const tokens = await application.exchange(callback, request.checks);
    expect(await works(application, member, team)).toBe(true);

    await owner.client.post(approvals(team, `/${pending.id}/revoke`), {}).expect(200);
    expect(await refusal(application.refresh(tokens.refresh_token))).toBe('invalid_grant');
    expect((await owner.client.get(at(team, '/oauth-grants')).expect(200)).body.data).toEqual([]);
    const types = await app.eventTypes();
    for (const type of ['approval_requested', 'approval_approved', 'approval_revoked'])
      expect(types).toContain(`oauth_client.${type}`);
    expect(types).toContain('oauth_grant.revoked');
  });

  it('covers descendants by the approval of an ancestor, and ends grants there at its end', async () => {
    await rule('approved');
    const client = await OAuthApplication.create(app, undefined, { name: 'Notes' });
    const { id } = (await owner.client.post(approvals(acme), { clientId: client.clientId }).expect(201)).body.data;
    const tokens = await client.signIn(member);
    await rule('anyone');
    await owner.client.post(approvals(acme, `/${id}/revoke`), {}).expect(200);
    expect(await refusal(client.refresh(tokens.refresh_token))).toBe('invalid_grant');
    expect((await client.signIn(member)).access_token).toBeDefined();
  });

  it.each<[string, string, () => SignedIn, boolean]>([
    ['anyone', 'a member', () => member, true],
    ['approved', 'a member', () => member, false],
    ['owners', 'a member', () => member, false],
    ['owners', 'an owner', () => owner, true],
  ])(
    '%s: an application that a user allowed before works for %s as the setting says, at once',
    async (setting, _who, user, isGood) => {
      const client = await OAuthApplication.create(app, undefined, { name: 'Tasks' });
      await rule('anyone');
      const organization = user() === member ? team : acme;
      const tokens = await client.signIn(user(), { organization });
      await rule(setting);
      expect(await refusal(client.userInfo(tokens, user().id))).toBe(isGood ? undefined : 'invalid_token');
      expect((await refusal(client.refresh(tokens.refresh_token))) === undefined).toBe(isGood);
    },
  );

  describe('with programs that act on behalf of others', () => {
    const ORDERS = 'https://orders.example.com';
    const own = () => ({ identifier: app.config.baseUrl, scopes: ['members:read'] });
    const orders = { identifier: ORDERS, scopes: ['members:read'] };
    const isGood = async ({ access_token: token }: Tokens): Promise<boolean> =>
      (await app.api.as(token).get(at(team, '/members'))).status === 200;

    beforeAll(async () => {
      const api = { identifier: ORDERS, name: 'Orders', scopes: [{ name: 'members:read' }] };
      await platform().post('/v1/oauth-resources', api).expect(201);
    });

    it.each<[string, () => Promise<Tokens>, boolean]>([
      [
        'a user',
        async () => {
          const shop = await OAuthApplication.create(app, acme, { resources: [orders] });
          return shop.signIn(member, { scope: 'openid members:read', resource: ORDERS });
        },
        false,
      ],
      [
        'an owner',
        async () => {
          const shop = await OAuthApplication.create(app, acme, { resources: [orders] });
          return shop.signIn(owner, { scope: 'openid members:read', resource: ORDERS, organization: acme });
        },
        true,
      ],
      [
        'a machine client',
        async () => {
          const sync = await OAuthApplication.create(app, acme, { type: 'machine', redirectUris: [], resources: [orders] });
          return sync.clientCredentials({ resource: ORDERS, scope: 'members:read' });
        },
        false,
      ],
    ])('is asked for each program between %s and the data, at once', async (_, subject, isOwner) => {
      await rule('anyone');
      // The first program is of the organization, the second of the platform.
      const first = await OAuthApplication.service(app, acme, { resources: [orders], audiences: [ORDERS] });
      const second = await OAuthApplication.service(app, undefined, { resources: [own()], audiences: [ORDERS] });
      const { access_token: token } = await first.exchangeToken((await subject()).access_token, { resource: ORDERS });
      const exchange = () => second.exchangeToken(token, { resource: app.config.baseUrl });
      const exchanged = await exchange();
      expect(await isGood(exchanged)).toBe(true);
      await rule('approved');
      expect([await isGood(exchanged), await refusal(exchange())]).toEqual([false, 'invalid_request']);
      await owner.client.post(approvals(acme), { clientId: second.clientId }).expect(201);
      expect([await isGood(exchanged), await refusal(exchange())]).toEqual([true, undefined]);
      await rule('owners');
      expect([await isGood(exchanged), await refusal(exchange())]).toEqual(
        isOwner ? [true, undefined] : [false, 'invalid_request'],
      );
    });
  });

  it('is asked for the application of a device, which gets no grant without it', async () => {
    const grantTypes = [DEVICE_CODE, 'refresh_token'];
    const client = await OAuthApplication.create(app, undefined, {
      name: 'Television',
      type: 'native',
      redirectUris: [],
      grantTypes,
    });
    const user = await signedIn(app, team, { roles: ['member'] });
    await rule('approved');
    const { message } = await client.startOnDevice(user, team, { scope: 'openid' }).then(
      () => ({ message: '' }),
      (error: Error) => error,
    );
    expect(message).toContain('application_not_allowed');
    expect((await user.client.get('/v1/auth/oauth-grants').expect(200)).body.data).toEqual([]);
    await owner.client.post(approvals(team), { clientId: client.clientId }).expect(201);
    expect((await (await client.startOnDevice(user, team, { scope: 'openid' }))()).access_token).toBeDefined();
  });

  it('needs no approval for applications of the organization, an ancestor, or the platform without consent', async () => {
    await rule('owners');
    for (const [organization, fields] of [
      [acme, {}],
      [team, {}],
      [undefined, { consent: 'skipped' }],
    ] as const)
      expect((await (await OAuthApplication.create(app, organization, fields)).signIn(member)).access_token).toBeDefined();
    const own = await OAuthApplication.create(app, acme);
    const refused = await owner.client.post(approvals(acme), { clientId: own.clientId }).expect(409);
    expect(refused.body.code).toBe('application_approval_not_needed');
    const ask = await (await question(member)).ask();
    expect([ask.status, ask.body.code]).toEqual([409, 'application_approval_not_needed']);
  });

  it('tells the owners of an application once, and lets nobody ask again soon after a denial', async () => {
    await rule('approved');
    const client = await OAuthApplication.create(app, undefined, { name: 'Games' });
    const before = (await mailsTo(app, owner.email)).length;
    const others = [await signedIn(app, team, { roles: ['member'] }), await signedIn(app, team, { roles: ['viewer'] })];
    for (const user of others) expect((await (await question(user, client)).ask()).status).toBe(200);
    expect(await mailsTo(app, owner.email)).toHaveLength(before + 1);
    const [pending] = (await owner.client.get(approvals(team, '?status=pending')).expect(200)).body.data;
    expect(pending.requests).toHaveLength(2);
    await owner.client.post(approvals(team, `/${pending.id}/deny`), { note: 'Not at work' }).expect(200);
    for (const { email } of others) {
      const mail = (await mailsTo(app, email)).find(({ template }) => template === 'application_decided');
      expect(mail?.text).toContain('Not at work');
    }
    const again = await (await question(others[0]!, client)).ask();
    expect([again.status, again.body.code]).toEqual([409, 'application_approval_denied']);
    await owner.client.post(approvals(team, `/${pending.id}/revoke`), {}).expect(409);
  });

  it('lets only callers with all permissions change the rule, and decisions need a recent sign-in', async () => {
    const admin = await signedIn(app, acme, { roles: ['admin'] });
    const refused = await admin.client.patch(at(acme), { settings: { applicationApproval: 'anyone' } }).expect(403);
    expect(refused.body.code).toBe('forbidden');
    const own = { scope: 'openid', resource: app.config.baseUrl };
    const scopes = ['application_approvals:write', 'application_approvals:read'];
    const tool = await OAuthApplication.create(app, acme, { resources: [{ identifier: app.config.baseUrl, scopes }] });
    const tokens = await tool.signIn(owner, { ...own, scope: `openid ${scopes.join(' ')}` });
    const body = { clientId: application.clientId };
    expect((await app.api.as(tokens.access_token).post(approvals(acme), body)).status).toBe(403);
  });
});
