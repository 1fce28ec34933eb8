import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { startDnsServer } from '../support/dns-server.js';
import { eventsDuring, typesDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { generatedDocument, operationsOf, pathOf } from '../support/operations.js';
import { keyClient, made, newOrganization, read } from '../support/organizations.js';
import { testReceiver } from '../support/receiver.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { DAY_MS, later } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testServer } from '../support/test-server.js';
import { sized } from '../support/test-size.js';

/** The operations that a setup link can call, by step. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  domain: ['createDomain', 'deleteDomain', 'getDomain', 'listDomains', 'verifyDomain'],
  sso: ['check', 'create', 'delete', 'get', 'update'].map((verb) => `${verb}IdentityProvider`).concat('listIdentityProviders'),
  scim: [
    'listScimConnections',
    'listScimTokens',
    'startScimPreview',
    ...['create', 'delete', 'get', 'activate', 'rollBack', 'update'].map((verb) => `${verb}ScimConnection`),
    ...['create', 'revoke', 'rotate'].map((verb) => `${verb}ScimToken`),
  ],
  webhook: ['createWebhook', 'deleteWebhook', 'getWebhook', 'listWebhooks', 'testWebhook'],
};
const STEPS = Object.keys(OPERATIONS);

const dns = testServer(startDnsServer);
const provider = testServer(() => startScriptedProvider({ sub: 'ada', email: 'ada@setup.example', email_verified: true }));
const receiver = testReceiver();
const app = testServer(() => startApp({ dnsServers: [dns.address] }));
let org: string;

beforeAll(async () => {
  org = (await newOrganization(app, { name: 'Acme', branding: { primaryColor: '#0f766e' } })).id;
});

const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}/setup-links${rest}`;
const create = async (steps = STEPS, { where = org, by = app.api.platform, ...fields }: Creation = {}): Promise<TestBody> =>
  await made(by, at(where), { steps, ...fields });
interface Creation {
  where?: string;
  by?: TestClient;
  expiresInSeconds?: number;
}
const tokenOf = ({ url }: TestBody): string => new URL(url).hash.replace('#token=', '');
const clientOf = (link: TestBody): TestClient => app.api.as(tokenOf(link));
const open = (token: string) => app.api.anonymous.post('/v1/auth/setup-links/open', { token });

describe('a setup link', () => {
  it('is created with a URL that is returned only once, opened, and revoked, each with an event', async () => {
    let link: TestBody;
    expect(await typesDuring(app, async () => (link = await create(['domain', 'sso'])))).toEqual(['setup_link.created']);
    expect(link).toMatchObject({ organizationId: org, steps: ['domain', 'sso'], status: 'active', openedAt: null });
    expect(link.url).toMatch(/^http:\/\/[^/]+\/setup#token=setup\.[\w-]{43}$/);
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(7 * DAY_MS);
    const { url: _, ...withoutUrl } = link;
    expect(await read(app, at(org, `/${link.id}`))).toEqual(withoutUrl);

    const events = await eventsDuring(app, async () => {
      expect((await open(tokenOf(link)).expect(200)).body.data).toEqual({
        id: link.id,
        organization: { id: org, name: 'Acme', branding: { primaryColor: '#0f766e', hasLogo: false } },
        steps: ['domain', 'sso'],
        expiresAt: link.expiresAt,
      });
      await open(tokenOf(link)).expect(200);
    });
    expect(events.map(({ type }) => type)).toEqual(['setup_link.opened']);
    expect((await read(app, at(org, `/${link.id}`))).openedAt).not.toBeNull();

    expect(await typesDuring(app, () => app.api.platform.delete(at(org, `/${link.id}`)).expect(204))).toEqual([
      'setup_link.revoked',
    ]);
    await open(tokenOf(link)).expect(401, 'setup_link_invalid');
    await clientOf(link).get(`/v1/organizations/${org}/domains`).expect(401);
    await app.api.platform.get(at(org, `/${link.id}`)).expect(404, 'setup_link_not_found');
    await app.api.platform.delete(at(org, `/${link.id}`)).expect(404);
    for (const token of ['setup.kH3v9QxT0bLr2mYc7WnZp5sEaJf8UgDi1oRtKqXy4Vw', 'x', app.platformKey])
      await open(token).expect(401, 'setup_link_invalid');
  });

  it('expires, is shown as expired, and is replaced by the next link', async () => {
    const where = (await newOrganization(app)).id;
    const link = await create(['domain'], { where, expiresInSeconds: 300 });
    await later(app, 299_000, () => open(tokenOf(link)).expect(200));
    await later(app, 300_000, async () => {
      await open(tokenOf(link)).expect(401);
      await clientOf(link).get(`/v1/organizations/${where}/domains`).expect(401);
      expect((await read(app, at(where, `/${link.id}`))).status).toBe('expired');
      const next = await create(['domain'], { where });
      const { body } = await app.api.platform.get(at(where)).expect(200);
      expect(body.data.map(({ id }: TestBody) => id)).toEqual([next.id]);
      expect(await app.database.query('SELECT FROM token_hashes WHERE subject_id = $1', [link.id])).toEqual([]);
    });
  });

  it('is limited to 100 links of an organization, even in concurrent requests', async () => {
    const where = (await newOrganization(app)).id;
    const columns = 'tenant_id, id, organization_id, steps, expires_at, created_at';
    await app.database.query(
      `INSERT INTO setup_links (${columns}) SELECT $1, 'sl_' || n, $1, '{domain}', now() + interval '1 day', now() FROM generate_series(1, 99) n`,
      [where],
    );
    const all = await Promise.all([1, 2, 3].map(() => app.api.platform.post(at(where), { steps: ['domain'] }).whenServed()));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(all.find(({ status }) => status === 409)?.body.code).toBe('setup_link_limit');
  });
});

describe('the access of a setup link', () => {
  it('covers only the operations of its steps', async () => {
    const operations = operationsOf(await generatedDocument()).filter(({ isPublic }) => !isPublic);
    const callable = async (steps: string[], tried = operations): Promise<string[]> => {
      const client = clientOf(await create(steps));
      const allowed: string[] = [];
      for (const operation of tried) {
        const path = pathOf(operation, (name) => (name === 'org' ? org : 'unknown'));
        const { status, body } = await client.raw(operation.method, path, operation.method === 'GET' ? undefined : '{}', {
          'content-type': 'application/json',
        });
        // An import has another media type.
        if (status !== 403 && status !== 415) allowed.push(operation.id);
        if (status === 403) expect(body.detail).toContain(`only for its steps: ${steps.join(', ')}.`);
      }
      return allowed.sort();
    };
    const all = Object.values(OPERATIONS).flat();
    expect(await callable(STEPS)).toEqual(all.toSorted());
    const some = operations.filter(({ id }) => all.includes(id));
    for (const [step, own] of Object.entries(OPERATIONS))
      expect(await callable([step], sized(some, operations, operations))).toEqual(own.toSorted());
  }, 120_000);

  it('covers the organization and its descendants, and is read-only while the organization is suspended', async () => {
    const child = (await newOrganization(app, { parentId: org })).id;
    const ofParent = clientOf(await create(['domain']));
    await ofParent.get(`/v1/organizations/${child}/domains`).expect(200);
    const ofChild = clientOf(await create(['domain'], { where: child }));
    await ofChild.get(`/v1/organizations/${child}/domains`).expect(200);
    await ofChild.get(`/v1/organizations/${org}/domains`).expect(404);
    const other = (await newOrganization(app)).id;
    await ofParent.get(`/v1/organizations/${other}/domains`).expect(404);
    const where = (await newOrganization(app)).id;
    const client = clientOf(await create(['domain'], { where }));
    await app.api.platform.post(`/v1/organizations/${where}/suspend`, {}).expect(200);
    await client.post(`/v1/organizations/${where}/domains`, { name: 'suspended.example' }).expect(403);
  });

  it('sets up a domain, an identity provider, a directory and a webhook, with events of the link', async () => {
    const link = await create();
    const client = clientOf(link);
    const path = `/v1/organizations/${org}`;
    const domain = await made(client, `${path}/domains`, { name: 'setup.example' });
    dns.set(domain.record.name, [domain.record.value]);
    expect((await client.post(`${path}/domains/${domain.id}/verify`).expect(200)).body.data.status).toBe('verified');
    const configuration = { name: 'Okta', issuer: provider.issuer, clientId: 'acme', clientSecret: 'secret' };
    const trusted = { ...configuration, trustedDomains: ['setup.example'] };
    const idp = await made(client, `${path}/identity-providers`, trusted);
    expect((await client.post(`${path}/identity-providers/${idp.id}/check`).expect(200)).body.data.usable).toBe(true);
    const scim = await made(client, `${path}/scim-connections`, { name: 'Okta' });
    const tokens = `${path}/scim-connections/${scim.id}/tokens`;
    const { token } = await made(client, tokens, { name: 'Okta' });
    await app.api.as(token).get(`/scim/v2/${scim.id}/Users`).expect(200);
    const webhook = await made(client, `${path}/webhooks`, { url: receiver.url, events: ['user.*'], format: 'cloudevents' });
    expect(
      (await client.post(`${path}/webhooks/${webhook.id}/test`, { eventType: 'user.created' }).expect(200)).body.success,
    ).toBe(true);
    const { body } = await app.api.platform.get(`${path}/events?limit=100`).expect(200);
    const ofLink = body.data.filter(({ actor }: TestBody) => actor.id === link.id);
    expect(ofLink.map(({ type, actor }: TestBody) => [type, actor.type]).toReversed()).toEqual([
      ['domain.created', 'setup_link'],
      ['domain.verified', 'setup_link'],
      ['identity_provider.created', 'setup_link'],
      ['scim_connection.created', 'setup_link'],
      ['scim_token.created', 'setup_link'],
      ['webhook.created', 'setup_link'],
    ]);
  });

  it('sees, changes and deletes only what it created', async () => {
    const where = (await newOrganization(app)).id;
    const path = `/v1/organizations/${where}`;
    const [own, other] = [clientOf(await create(undefined, { where })), clientOf(await create(undefined, { where }))];
    const idp = { name: 'Okta', issuer: provider.issuer, clientId: 'acme', clientSecret: 'secret' };
    const bodies: Record<string, (by: string) => object> = {
      domains: (by) => ({ name: `${by}.example` }),
      'identity-providers': () => idp,
      'scim-connections': (name) => ({ name }),
      webhooks: () => ({ url: receiver.url, events: ['user.*'] }),
    };
    for (const [resource, body] of Object.entries(bodies)) {
      const list = `${path}/${resource}`;
      const existing = await made(app, list, body('vendor'));
      const { id } = await made(own, list, body('customer'));
      expect((await own.get(list).expect(200)).body).toMatchObject({ data: [{ id }], pagination: { total: 1 } });
      expect((await other.get(list).expect(200)).body.data).toEqual([]);
      for (const [client, hidden] of [
        [own, existing.id],
        [other, id],
      ] as const) {
        await client.get(`${list}/${hidden}`).expect(404);
        await client.delete(`${list}/${hidden}`).expect(404);
      }
      await own.delete(`${list}/${id}`).expect(204);
      await app.api.platform.get(`${list}/${existing.id}`).expect(200);
    }
  });
});

describe('the creator of a setup link', () => {
  it('must have the permissions of all steps, be an owner for single sign-on and directories, and have signed in recently', async () => {
    const domains = await keyClient(app, org, ['setup_links:write', 'domains:*']);
    await create(['domain'], { by: domains });
    for (const steps of [['sso'], ['domain', 'webhook']]) await domains.post(at(org), { steps }).expect(403, 'forbidden');
    const webhooks = await keyClient(app, org, ['setup_links:write', 'webhooks:*', 'events:read']);
    await create(['webhook'], { by: webhooks });
    const everythingElse = await keyClient(app, org, ['domains:*', 'setup_links:read']);
    await everythingElse.post(at(org), { steps: ['domain'] }).expect(403);
    const [owner, admin] = [await signedIn(app, org, { roles: ['owner'] }), await signedIn(app, org, { roles: ['admin'] })];
    await create(['sso'], { by: owner.client });
    await create(['domain', 'webhook'], { by: admin.client });
    for (const step of ['sso', 'scim']) await admin.client.post(at(org), { steps: [step] }).expect(403, 'forbidden');
    await later(app, DAY_MS / 4, async () => {
      await owner.client.post(at(org), { steps: ['domain'] }).expect(401, 'reauthentication_required');
    });
    const link = await create(['scim']);
    const weaker = await keyClient(app, org, ['setup_links:*', 'domains:*']);
    await weaker.delete(at(org, `/${link.id}`)).expect(403, 'forbidden');
    const own = await create(['domain'], { by: weaker });
    await weaker.delete(at(org, `/${own.id}`)).expect(204);
  });

  it('gives the link its permissions: without them, the link stops working until they return', async () => {
    const owner = await signedIn(app, org, { roles: ['owner'] });
    const path = `/v1/organizations/${org}/users/${owner.id}`;
    const link = await create(['domain'], { by: owner.client });
    const domains = () => clientOf(link).get(`/v1/organizations/${org}/domains`);
    await domains().expect(200);

    await app.api.platform.post(`${path}/suspend`, {}).expect(200);
    await domains().expect(401);
    await open(tokenOf(link)).expect(401, 'setup_link_invalid');
    await app.api.platform.post(`${path}/activate`).expect(200);
    await domains().expect(200);

    await app.api.platform.post(`${path}/roles`, { roleId: 'viewer' }).expect(201);
    await app.api.platform.delete(`${path}/roles/role_owner`).expect(204);
    await domains().expect(401);
    await app.api.platform.delete(path).expect(204);
    await domains().expect(401);
  });

  it.each<[string, (key: TestBody, keys: string) => Promise<unknown>]>([
    ['is revoked', ({ id }, keys) => app.api.platform.delete(`${keys}/${id}`).expect(204)],
    ['expires', () => app.database.query('UPDATE api_keys SET expires_at = now() WHERE tenant_id = $1', [org])],
    [
      'is disabled',
      () => {
        const flag = `flag = 'owner_deleted', flagged_at = now(), disabled_at = now()`;
        return app.database.query(`UPDATE api_keys SET ${flag} WHERE tenant_id = $1`, [org]);
      },
    ],
  ])('is an API key: the link works until the key or its rotated successor %s', async (_end, end) => {
    const keys = `/v1/organizations/${org}/api-keys`;
    const first = await made(app, keys, { name: 'k', scopes: ['*'] });
    const link = await create(['domain'], { by: app.api.as(first.key) });
    const second = await made(app, `${keys}/${first.id}/rotate`, { expiresInSeconds: 0 });
    await clientOf(link).get(`/v1/organizations/${org}/domains`).expect(200);
    await end(second, keys);
    await clientOf(link).get(`/v1/organizations/${org}/domains`).expect(401);
    await open(tokenOf(link)).expect(401);
  });

  it('is a platform key: the link works until the key ends', async () => {
    const domains = () => clientOf(link).get(`/v1/organizations/${org}/domains`);
    const setExpiry = (value: string) =>
      app.database.query(`UPDATE api_keys SET expires_at = ${value} WHERE tenant_id = 'platform'`);
    const link = await create(['domain']);
    await domains().expect(200);
    await setExpiry('now()');
    await domains().expect(401);
    await setExpiry('NULL');
    await domains().expect(200);
  });
});
