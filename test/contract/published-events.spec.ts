import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, newId } from '#platform/common';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import { EVENT_TYPES } from '#platform/events';
import { ResponseSchemas } from '../support/response-schemas.js';
import { type TestApp, startApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { deliveredBody, generatedDocument } from '../support/operations.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { DomainCheckLoop } from '../../libs/directory/domains/src/domain-check-loop.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { addTotp } from '../support/second-factors.js';
import { changeBody, creationBody, CRUD_RESOURCES, type CrudResource } from './crud-resources.js';
import { LOCAL_URL } from './request-bodies.js';
import { activeUser, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { eventually } from '../support/delivery-app.js';

const document = await generatedDocument();
const schemas = new ResponseSchemas(document);
const DAY_MS = 86_400_000;
const NEW_PASSWORD = 'marble thicket cobalt ferry';

interface WrittenEvent {
  type: string;
  payload: TestBody;
}

/** Calls the API until every event type of the catalog is published. */
describe('the lifecycle of an organization', () => {
  let app: TestApp;
  let dns: DnsServer;
  let events: WrittenEvent[];
  beforeAll(async () => {
    dns = await startDnsServer();
    app = await startApp({ dnsServers: [dns.address] });
    await publishAll();
    const rows = await app.database.query<{ type: string; payload: string }>('SELECT type, payload FROM events ORDER BY seq');
    events = rows.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) }));
  });
  afterAll(async () => {
    await app.close();
    await dns.close();
  });

  const post = async (path: string, body?: object): Promise<TestBody> => {
    const response = await app.api.platform.post(path, body);
    expect([path, response.status < 300]).toEqual([path, true]);
    return response.body?.data;
  };

  async function publishAll(): Promise<void> {
    const top = await post('/v1/organizations', { name: 'Acme' });
    const org = await post('/v1/organizations', { name: 'Acme Berlin', parentId: top.id });
    const at = `/v1/organizations/${org.id}`;
    await app.api.platform.patch(at, { description: 'Makers of everything' }).expect(200);
    await rolesAndKeys(at);
    await usersAndMembers(at, top);
    await signIns(org);
    await breakGlassAndFlags(org, at);
    await webhooksAndProviders(at);
    await requiredSso();
    await domains(at);
    await setupLinks(at);
    await scim(at);
    for (const resource of CRUD_RESOURCES) await createUpdateAndDelete(resource, org.id);
    const regions = await post('/v1/organizations', { name: 'Acme Regions', parentId: top.id });
    await post(`${at}/move`, { parentId: regions.id });
    await app.api.platform.delete(at).expect(204);
  }

  async function rolesAndKeys(at: string): Promise<void> {
    const { id } = await post(`${at}/roles`, { name: 'billing', permissions: ['invoices:read'] });
    await app.api.platform.patch(`${at}/roles/${id}`, { description: 'Sees invoices' }).expect(200);
    await app.api.platform.delete(`${at}/roles/${id}`).expect(204);
    const key = await post(`${at}/api-keys`, { name: 'backend', scopes: ['users:read'] });
    await app.api.platform.delete(`${at}/api-keys/${key.id}`).expect(204);
  }

  async function usersAndMembers(at: string, top: TestBody): Promise<void> {
    const user = await post(`${at}/users`, { email: 'grace@example.com' });
    const path = `${at}/users/${user.id}`;
    await app.api.platform.patch(path, { firstName: 'Grace' }).expect(200);
    await post(`${path}/invitation`);
    await post(`${path}/activate`);
    await post(`${path}/password-reset`);
    await app.api.platform.get(`${at}/users/export?status=active`).expect(200);
    await app.api.platform.get(`${path}/export`).expect(200);
    await app.api.platform.get(`${at}/access-report?format=csv`).expect(200);
    await post(`${path}/roles`, { roleId: 'role_viewer' });
    await app.api.platform.delete(`${path}/roles/role_viewer`).expect(204);
    const group = `${at}/groups/${(await post(`${at}/groups`, { name: 'Readers' })).id}`;
    await post(`${group}/members`, { userIds: [user.id] });
    await post(`${group}/roles`, { roleId: 'viewer' });
    await app.api.platform.delete(`${group}/roles/viewer`).expect(204);
    await app.api.platform.delete(`${group}/members/${user.id}`).expect(204);
    await post(`/v1/organizations/${top.id}/members`, { userId: user.id });
    await app.api.platform.delete(`/v1/organizations/${top.id}/members/${user.id}`).expect(204);
    await post(`${path}/suspend`, { reason: 'Left the company' });
    await app.api.platform.delete(path).expect(204);
  }

  async function signIns(org: TestBody): Promise<void> {
    const { email } = await activeUser(app, org.id, { email: 'ada@example.com' });
    await login(app, org.id, email).expect(200);
    const client = app.api.as(await sessionToken(app, org.id, email));
    await client.post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }).expect(204);
    await client.post('/v1/auth/logout').expect(204);
    const token = await sessionToken(app, org.id, email, NEW_PASSWORD);
    const added = await addTotp(app, token);
    await app.api.as(added.token).post('/v1/auth/mfa/recovery-codes', { currentPassword: NEW_PASSWORD }).expect(200);
    const change = { email: 'ada@example.org', currentPassword: NEW_PASSWORD };
    await app.api.as(added.token).post('/v1/auth/me/email', change).expect(202);
    await app.api.as(added.token).delete('/v1/auth/mfa/totp', { currentPassword: NEW_PASSWORD }).expect(204);
    const again = app.api.as(await sessionToken(app, org.id, email, NEW_PASSWORD));
    await again.post('/v1/auth/me/email', change).expect(202);
    const cancel = { token: await mailedToken(app, email, 'security_notice') };
    await app.api.anonymous.post('/v1/auth/cancel-email-change', cancel).expect(200);
    for (let count = 0; count < 5; count++) await login(app, org.id, email, 'wrong').expect(401);
  }

  async function breakGlassAndFlags(org: TestBody, at: string): Promise<void> {
    const { id: adminId, email } = await activeUser(app, org.id, { email: 'admin@example.com', roles: ['admin'] });
    const client = app.api.as(await sessionToken(app, org.id, email));
    const request = { reason: 'No owner can be reached', durationSeconds: 600 };
    const { id } = (await client.post(`${at}/break-glass`, request).expect(201)).body.data;
    await client.post(`${at}/break-glass/${id}/end`).expect(200);
    await client.post(`${at}/api-keys`, { name: 'sync', scopes: ['users:read'] }).expect(201);
    await client.post(`${at}/webhooks`, { url: `${LOCAL_URL}/flagged`, events: ['user.*'] }).expect(201);
    await post(`${at}/users/${adminId}/suspend`);
    while (await app.app.get(ApiKeyOwnerCheckService).run());
    while (await app.app.get(FlaggedWebhooks).run());
  }

  async function webhooksAndProviders(at: string): Promise<void> {
    const { id } = await post(`${at}/webhooks`, { url: `${LOCAL_URL}/T0K3N`, events: ['user.*'] });
    await app.api.platform.patch(`${at}/webhooks/${id}`, { url: `${LOCAL_URL}/T0K3N-2`, rateLimit: 5 }).expect(200);
    await app.api.platform.get(`${at}/webhooks/${id}/secret`).expect(200);
    await app.api.platform.delete(`${at}/webhooks/${id}`).expect(204);
    const provider = { name: 'Acme SSO', issuer: 'https://login.example.com', clientId: 'acme', clientSecret: NEW_PASSWORD };
    const idp = await post(`${at}/identity-providers`, provider);
    await app.api.platform.patch(`${at}/identity-providers/${idp.id}`, { clientSecret: PASSWORD }).expect(200);
    await app.api.platform.delete(`${at}/identity-providers/${idp.id}`).expect(204);
  }

  /** Signs in an owner with a password, although the organization requires an identity provider. */
  async function requiredSso(): Promise<void> {
    const org = await post('/v1/organizations', { name: 'Acme SSO' });
    const email = 'owner@acme.example';
    await activeUser(app, org.id, { email, roles: ['owner'] });
    await insertTrustedProvider(app, org.id);
    await app.api.platform.patch(`/v1/organizations/${org.id}`, { settings: { ssoRequired: true } }).expect(200);
    await login(app, org.id, email).expect(200);
  }

  async function domains(at: string): Promise<void> {
    const { id, record } = await post(`${at}/domains`, { name: 'acme.example' });
    dns.set(record.name, [record.value]);
    await post(`${at}/domains/${id}/verify`);
    dns.set(record.name, []);
    const clock = app.app.get(Clock);
    for (const days of [2, 4, 6]) {
      clock.now = () => new Date(Date.now() + days * DAY_MS);
      while (await app.app.get(DomainCheckLoop, { strict: false }).run());
    }
    clock.now = () => new Date();
    await app.api.platform.delete(`${at}/domains/${id}`).expect(204);
  }

  async function scim(at: string): Promise<void> {
    const { id, baseUrl } = await post(`${at}/scim-connections`, { name: 'Okta', maxRemovals: 1 });
    const token = await post(`${at}/scim-connections/${id}/tokens`, { name: 'Okta' });
    const directory = app.api.as(token.token);
    const base = new URL(baseUrl).pathname;
    const users: string[] = [];
    for (const userName of ['scim-1@example.com', 'scim-2@example.com'])
      users.push((await directory.post(`${base}/Users`, { userName }).expect(201)).body.id);
    await directory.delete(`${base}/Users/${users[0]}`).expect(204);
    await directory.delete(`${base}/Users/${users[1]}`).expect(503);
    await post(`${at}/scim-connections/${id}/roll-back`, {});
    const isStopped = async () =>
      (await app.api.platform.get(`${at}/scim-connections/${id}`).expect(200)).body.data.mode === 'stopped';
    await eventually(isStopped, 30_000, 'the users are restored');
    await app.api.platform.delete(`${at}/scim-connections/${id}/tokens/${token.id}`).expect(204);
    await app.api.platform.patch(`${at}/scim-connections/${id}`, { name: 'Okta production' }).expect(200);
    await app.api.platform.delete(`${at}/scim-connections/${id}`).expect(204);
  }

  async function setupLinks(at: string): Promise<void> {
    const { id, url } = await post(`${at}/setup-links`, { steps: ['domain'] });
    await app.api.anonymous.post('/v1/auth/setup-links/open', { token: new URL(url).hash.slice('#token='.length) }).expect(200);
    await app.api.platform.delete(`${at}/setup-links/${id}`).expect(204);
  }

  async function createUpdateAndDelete(resource: CrudResource, organization: string): Promise<void> {
    const at = `/v1/organizations/${organization}/${resource.collection}`;
    const fixtures = { organization, user: newId('user') };
    const { id } = await post(at, creationBody(resource, fixtures));
    await app.api.platform.patch(`${at}/${id}`, changeBody(resource, fixtures)).expect(200);
    await app.api.platform.delete(`${at}/${id}`).expect(204);
  }

  it('publishes every event type of the catalog', () => {
    const published = new Set(events.map(({ type }) => type));
    expect(EVENT_TYPES.filter((type) => !published.has(type))).toEqual([]);
  });

  it('publishes only valid events with actor and metadata', () => {
    const problems = events.flatMap(({ type, payload }) => {
      const { schema } = deliveredBody(document, type);
      return schemas.problems(type, schema, payload).map((problem) => `${type}: ${problem}`);
    });
    expect(problems).toEqual([]);
    // Background jobs publish these events. Only events of requests have request metadata.
    const ofJobs = /^(?:security\.(?:api_key|webhook)_flagged|domain\.verification_failed)$/;
    const isOfJob = ({ type, payload }: (typeof events)[number]): boolean =>
      ofJobs.test(type) || (payload.actor.type === 'scim' && payload.metadata.source === 'system');
    for (const { payload } of events.filter((each) => !isOfJob(each))) {
      expect(payload.actor.type).toMatch(/^(?:user|api|setup_link|scim|system)$/);
      expect(payload.metadata).toMatchObject({ source: 'api', requestId: expect.any(String), ipAddress: expect.any(String) });
    }
  });

  it('publishes no secret', () => {
    const text = JSON.stringify(events);
    for (const secret of [PASSWORD, NEW_PASSWORD, 'T0K3N', 'whsec_']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\$argon2|_sk_[A-Za-z0-9]{20}/);
  });
});
