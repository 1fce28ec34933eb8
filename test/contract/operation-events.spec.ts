import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { newId, systemContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { EVENT_TYPES, type EventType } from '#platform/events';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import { ClientOwnerCheckService } from '../../libs/identity/oauth/src/clients/client-owner-check.service.js';
import { ApplicationApprovalsService } from '../../libs/identity/oauth/src/approval/application-approvals.service.js';
import { OAuthClientQuery } from '../../libs/identity/oauth/src/clients/oauth-client.query.js';
import { OAuthGrantsService } from '../../libs/identity/oauth/src/grants/oauth-grants.service.js';
import { DomainCheckLoop } from '../../libs/directory/domains/src/domain-check-loop.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { startDnsServer } from '../support/dns-server.js';
import type { TestBody, TestClient, TestResponse } from '../support/http-client.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { deliveredBody, generatedDocument, type Operation, operationsOf, plainSchema } from '../support/operations.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { activeUser, later, login, PASSWORD } from '../support/sign-in.js';
import { testServer } from '../support/test-server.js';
import { addCodeFactors } from './access-matrix/factor-requests.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import { at, type MatrixRequest, type MatrixRow } from './access-matrix/row.js';
import { type RequestOrganizations, Setup } from './access-matrix/setup.js';
import { EVENTS_OF_OPERATIONS } from './operation-events.js';
import { exampleBody } from './request-bodies.js';

const document = await generatedDocument();
const operations = operationsOf(document);
const DAY_MS = 86_400_000;

/** Changes to requests of the access matrix that would be no-ops. */
const CHANGED_REQUESTS: Readonly<
  Record<string, (setup: Setup, orgs: RequestOrganizations, token?: string) => Promise<Partial<MatrixRequest>>>
> = {
  activateOrganization: async (setup, orgs) => {
    await setup.app.api.platform.post(at(orgs, '/suspend')).expect(200);
    return {};
  },
  updateReachableWebhook: async (setup) => ({ body: { ...setup.body('webhooks'), name: 'Changed once more' } }),
  updateIdentityProvider: async () => ({ body: { clientSecret: PASSWORD } }),
  revokeRole: async (setup, orgs) => {
    const id = await setup.createResource('users', orgs.own);
    await setup.app.api.platform.post(at(orgs, `/users/${id}/roles`), { roleId: 'role_viewer' }).expect(201);
    return { path: at(orgs, `/users/${id}/roles/role_viewer`) };
  },
  removeUserMfa: async (setup, orgs) => {
    const user = await setup.newSession(orgs.own, 'member');
    await addCodeFactors(setup, user);
    return { path: at(orgs, `/users/${user.id}/mfa`) };
  },
  revokeOwnSessions: async (setup, _orgs, token) => {
    await setup.openSecondSession(token);
    return {};
  },
  revokeUserSessions: async (setup, orgs) => ({
    path: at(orgs, `/users/${(await setup.newSession(orgs.own, 'member')).id}/sessions`),
  }),
  forgotPassword: async (setup, orgs) => ({
    body: { organization: orgs.own, email: (await setup.newSession(orgs.own, 'member')).email },
  }),
};

/** Every operation that changes or exports data publishes an event. `EVENTS_OF_OPERATIONS` has the reason for each exception. */
describe('every changing operation', () => {
  const dns = testServer(startDnsServer);
  const setup = testServer(() => Setup.build({ dnsServers: [dns.address] }));
  let requests = 0;
  const problems: string[] = [];
  /** All events, and the events of the requests to the operations. */
  let events: TestBody[];
  const ofRequests: TestBody[] = [];
  beforeAll(async () => {
    await sendAll();
    const { app, organizations } = setup;
    const path = at(organizations.shared);
    await flagsAndFailures(app, organizations.shared.own, path);
    await domainEvents(app, path);
    await scimEvents(app, path);
    await sharedSignals(app, path);
    const rows = await app.database.query<{ payload: string }>('SELECT payload FROM events');
    events = rows.map(({ payload }) => JSON.parse(payload));
  }, 240_000); // About 200 requests, one after another: 43 s on a busy machine.

  it('has an entry in EVENTS_OF_OPERATIONS', () => {
    const listed = Object.keys(EVENTS_OF_OPERATIONS);
    expect(
      operations
        .filter(({ method }) => method !== 'GET')
        .map(({ id }) => id)
        .filter((id) => !listed.includes(id)),
    ).toEqual([]);
    expect(listed.filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
    expect(Object.entries(EVENTS_OF_OPERATIONS).filter(([, events]) => events.length === 0)).toEqual([]);
  });

  /** Sends the request of a row. Returns the status and the published events. */
  async function published(
    operation: Operation,
    row: MatrixRow,
    prepare: (client: TestClient, request: MatrixRequest) => Promise<MatrixRequest> = async (_client, request) => request,
  ): Promise<{ status: number; types: EventType[]; payloads: TestBody[] }> {
    const orgs = (await row.organizations?.(setup)) ?? setup.organizations.shared;
    const requiresUser = row.ownAccount || row.allowedCallers === 'users';
    const token = row.public
      ? undefined
      : requiresUser
        ? await setup.sessionToken(orgs.own, 'owner', 'of a new user')
        : setup.app.platformKey;
    const client = token === undefined ? setup.app.api.anonymous : setup.app.api.as(token);
    const request = await prepare(client, {
      ...(await row.request(setup, orgs, token)),
      ...(await CHANGED_REQUESTS[operation.id]?.(setup, orgs, token)),
    });
    const { text, headers } = sentBody(request);
    const requestId = `op-${++requests}-${operation.id}-${row.variant ?? ''}`.replaceAll(/[^\w-]/g, '-').slice(0, 60);
    const { status } = await client
      .raw(operation.method, request.path, text, { ...headers, 'x-request-id': requestId })
      .whenServed();
    const rows = await setup.app.database.query<{ type: EventType; payload: string }>(
      `SELECT type, payload FROM events WHERE payload::jsonb->'metadata'->>'requestId' = $1`,
      [requestId],
    );
    return { status, types: rows.map(({ type }) => type), payloads: rows.map(({ payload }) => JSON.parse(payload)) };
  }

  async function sendAll(): Promise<void> {
    for (const operation of operations) {
      const expected = EVENTS_OF_OPERATIONS[operation.id] ?? [];
      for (const row of ROWS[operation.id] ?? []) {
        const { status, types, payloads } = await published(operation, row);
        ofRequests.push(...payloads);
        if (status >= 300) problems.push(`${operation.id} (${row.variant ?? 'as usual'}): status ${status}`);
        const missing = typeof expected === 'string' ? [] : expected.filter((type) => !types.includes(type));
        const unexpected = typeof expected === 'string' ? types : [];
        if (missing.length > 0) problems.push(`${operation.id}: lacks ${missing.join(', ')}; has ${types.join(', ')}`);
        if (unexpected.length > 0)
          problems.push(`${operation.id}: has ${unexpected.join(', ')}, although a reason for none is listed`);
      }
    }
  }

  async function flagsAndFailures(app: TestApp, organization: string, path: string): Promise<void> {
    const admin = await setup.newSession(organization, 'admin');
    await admin.client.post(`${path}/api-keys`, { name: 'sync', scopes: ['users:read'] }).expect(201);
    await admin.client.post(`${path}/webhooks`, setup.body('webhooks')).expect(201);
    const resources = [{ identifier: app.config.baseUrl, scopes: ['users:read'] }];
    await exchangeOwnToken(app, `${path}/oauth-clients`, admin.client, resources);
    await extendedGrant(app, organization, admin);
    await requestedApplication(app, organization, admin);
    await app.api.platform.post(`${path}/users/${admin.id}/suspend`).expect(200);
    while (await app.app.get(ClientOwnerCheckService).run());
    while (await app.app.get(ApiKeyOwnerCheckService).run());
    while (await app.app.get(FlaggedWebhooks).run());
    // An owner can sign in with a password, although the organization requires an identity provider.
    const { id } = (await app.api.platform.post('/v1/organizations', { name: 'Matrix SSO' }).expect(201)).body.data;
    const { email } = await activeUser(app, id, { email: 'sso@matrix.example', roles: ['owner'] });
    await login(app, id, email, 'wrong').expect(401);
    await insertTrustedProvider(app, id);
    await app.api.platform.patch(`/v1/organizations/${id}`, { settings: { ssoRequired: true } }).expect(200);
    await login(app, id, email).expect(200);
  }

  /** A machine client exchanges its own token. */
  async function exchangeOwnToken(app: TestApp, path: string, admin: TestClient, resources: object[]): Promise<void> {
    const grantTypes = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'];
    const client = { name: 'sync', type: 'machine', authentication: 'client_secret_post', grantTypes, resources };
    const { id, secret } = (await admin.post(path, client).expect(201)).body.data;
    const tokenOf = async (fields: Record<string, string>): Promise<string> => {
      const form = { client_id: id, client_secret: secret, resource: app.config.baseUrl, ...fields };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const text = new URLSearchParams(form).toString();
      return (await app.api.anonymous.raw('POST', '/oauth/token', text, headers).expect(200)).body['access_token'];
    };
    const [clientCredentials = '', exchange = ''] = grantTypes;
    await tokenOf({
      grant_type: exchange,
      subject_token: await tokenOf({ grant_type: clientCredentials, scope: 'users:read' }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
  }

  async function extendedGrant(app: TestApp, organizationId: string, user: UserKey): Promise<void> {
    const ctx = systemContext(newId('request'));
    const organization = (await app.app.get(OrganizationScopeQuery).findScope(ctx, organizationId))!;
    const client = { id: newId('oauthClient'), tenantId: organization.tenantId, name: 'Billing' };
    const grants = app.app.get(OAuthGrantsService);
    for (const scopes of [['openid'], ['openid', 'email']])
      await grants.allow(ctx, { id: newId('oauthGrant'), organization, client, user, scopes, resourceScopes: {} });
    // Ends with the sessions of the user.
    await app.database.query(
      `INSERT INTO oauth_sessions (tenant_id, session_id, grant_id, organization_id, client_id, audience, user_tenant_id, user_id, rests_on,
         created_at, check_at)
       SELECT g.tenant_id, s.id, g.id, g.organization_id, g.client_id, g.client_id, s.tenant_id, s.user_id, '{}', now(), now() + interval '1 hour'
       FROM oauth_grants g JOIN sessions s ON s.tenant_id = g.tenant_id AND s.user_id = g.user_id WHERE g.client_id = $1`,
      [client.id],
    );
  }

  async function requestedApplication(app: TestApp, organizationId: string, user: UserKey & { email: string }): Promise<void> {
    const caller = { kind: 'user', id: user.id, tenantId: user.tenantId, permissions: [] } as const;
    const actor = { type: 'user', id: user.id, email: user.email } as const;
    const ctx = { ...systemContext(newId('request')), caller, actor };
    const organization = (await app.app.get(OrganizationScopeQuery).findScope(ctx, organizationId))!;
    const application = { name: 'Calendar', type: 'web', redirectUris: ['https://app.example.com/callback'] };
    const { id } = (await app.api.platform.post('/v1/oauth-clients', application).expect(201)).body.data;
    const client = (await app.app.get(OAuthClientQuery).findById(ctx, id, new Date()))!;
    await app.app.get(ApplicationApprovalsService).ask(ctx, organization, client, 'For work');
  }

  async function domainEvents(app: TestApp, path: string): Promise<void> {
    const { id, record } = (await app.api.platform.post(`${path}/domains`, setup.body('domains')).expect(201)).body.data;
    dns.set(record.name, [record.value]);
    await app.api.platform.post(`${path}/domains/${id}/verify`).expect(200);
    dns.set(record.name, []);
    for (const days of [2, 4, 6])
      await later(app, days * DAY_MS, async () => {
        while (await app.app.get(DomainCheckLoop, { strict: false }).run());
      });
  }

  async function sharedSignals(app: TestApp, path: string): Promise<void> {
    const { key } = (await app.api.platform.post(`${path}/api-keys`, { name: 'receiver', scopes: ['ssf_streams:*'] }).expect(201))
      .body.data;
    const receiver = app.api.as(key);
    const { stream_id } = (await receiver.post('/ssf/streams', {}).expect(201)).body;
    await receiver.post('/ssf/verification', { stream_id }).expect(204);
  }

  async function scimEvents(app: TestApp, path: string): Promise<void> {
    const { platform } = app.api;
    const connections = `${path}/scim-connections`;
    const { id, baseUrl } = (await platform.post(connections, { name: 'Okta', maxRemovals: 1 }).expect(201)).body.data;
    const { token } = (await platform.post(`${connections}/${id}/tokens`, { name: 'Okta' }).expect(201)).body.data;
    const users = `${new URL(baseUrl).pathname}/Users`;
    for (const [userName, status] of [
      ['scim-1@example.com', 204],
      ['scim-2@example.com', 503],
    ] as const) {
      const { body } = await app.api.as(token).post(users, { userName }).expect(201);
      await app.api.as(token).delete(`${users}/${body.id}`).expect(status);
    }
    await platform.post(`${connections}/${id}/roll-back`, {}).expect(200);
    const isStopped = async () => (await platform.get(`${connections}/${id}`).expect(200)).body.data.mode === 'stopped';
    await eventually(isStopped, 30_000, 'the users are restored');
  }

  it('publishes the events of the entry', () => expect(problems).toEqual([]));

  it('publishes every event type of the catalog', () => {
    expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  it('publishes only valid events with actor and metadata', () => {
    const schemas = new ResponseSchemas(document);
    const invalid = events.flatMap((event) =>
      schemas
        .problems(event.type, deliveredBody(document, event.type).schema, event)
        .map((problem) => `${event.type}: ${problem}`),
    );
    expect(invalid).toEqual([]);
    for (const { actor, metadata } of ofRequests) {
      expect(actor.type).toMatch(/^(?:user|api|setup_link|system|anonymous)$/);
      if (actor.type === 'api') expect(actor.id).toEqual(expect.any(String));
      expect(metadata).toMatchObject({ source: 'api', ipAddress: expect.any(String) });
    }
  });

  it('publishes no secret', () => {
    const text = JSON.stringify(events);
    for (const secret of [PASSWORD, 'T0K3N', 'whsec_']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\$argon2|_sk_[A-Za-z0-9]{20}/);
  });

  /** Sent settings of an organization become overrides, even with the values that they have, so the organization is saved. */
  const comparable = ({ id }: Operation, { body }: TestResponse): object =>
    id === 'updateOrganization' ? { ...body.data, updatedAt: undefined } : body.data;

  it('changes nothing and publishes no event when a resource is sent as it was read', async () => {
    const bodies = new Map(operationsOf(document).map(({ id, body }) => [id, body?.schema]));
    const problems: string[] = [];
    const sent: Record<string, object> = {};
    for (const operation of operations.filter(({ method }) => ['PATCH', 'PUT'].includes(method))) {
      const schema = bodies.get(operation.id);
      for (const row of schema ? (ROWS[operation.id] ?? []) : []) {
        const names = Object.keys(plainSchema(document, schema!).properties ?? {});
        let read: () => Promise<TestResponse> = () => Promise.reject(new Error('No request was prepared.'));
        let before: TestResponse | undefined;
        const { status, types } = await published(operation, row, async (client, request) => {
          read = async () => client.get(request.path).whenServed();
          // Fills as many fields as the rules of the resource allow.
          const example = exampleBody(document, schema!, { organization: '', user: '' });
          for (const body of [request.body, example]) await client.patch(request.path, body).whenServed();
          before = await read();
          const resource = before.body?.data ?? {};
          sent[operation.id] = Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)));
          return { ...request, body: sent[operation.id] };
        });
        // A few resources have no operation that reads only them.
        if (before?.status !== 200) delete sent[operation.id];
        else if (status !== 200 || types.length > 0) problems.push(`${operation.id}: ${status} ${types.join()}`);
        else expect(comparable(operation, await read())).toEqual(comparable(operation, before));
      }
    }
    expect(problems).toEqual([]);
    expect(Object.keys(sent).length).toBeGreaterThanOrEqual(9);
  });
});
