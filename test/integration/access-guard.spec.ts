import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  AccessGuard,
  type AuthenticatedCaller,
  CredentialAuthenticators,
  SessionAcceptanceService,
  Unauthenticated,
} from '#identity/auth';
import { Clock, newId, type RequestContext } from '#platform/common';
import { ConfigModule, loadConfig } from '#platform/config';
import { DatabaseModule } from '#platform/database';
import { ProblemFilter, requestContext, SessionCookie } from '#platform/http';
import {
  EffectiveSettingsService,
  OrganizationScopeQuery,
  resolveSettings,
  SessionRequirementsQuery,
  strictestSettings,
} from '#directory/organizations';
import { DataSource } from 'typeorm';
import { RequestAuthenticationService } from '../../libs/identity/auth/src/access/request-authentication.service.js';
import { SettingsLayersQuery } from '../../libs/directory/organizations/src/settings/settings-layers.query.js';
import { credentials, ClassRoutes, MethodRoutes } from '../support/guarded-routes.js';
import { insertOrganizations } from '../support/insert-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

type GuardResponse = { status: number; code?: string; detail?: string; cookies: string[]; ctx: RequestContext };

const BASE_URL = 'http://127.0.0.1:3000';
const SECRETS_KEY = randomBytes(32).toString('base64');
const configWith = (variables: Record<string, string>) =>
  loadConfig({ DATABASE_URL: database.url, SECRETS_KEY, BASE_URL, ...variables });
const jwt = (claims: object) => ({
  authorization: `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`,
});

let database: TestDatabase;
let app: NestExpressApplication;
let url: string;
let cookieName: string;
let ids: Record<'root' | 'child' | 'other', string>;

async function startRoutes(variables: Record<string, string> = {}): Promise<NestExpressApplication> {
  const config = configWith(variables);
  @Module({
    imports: [
      ConfigModule.forRoot(config),
      DatabaseModule.forRoot(({ databaseUrl }) => ({ type: 'postgres', url: databaseUrl!, entities: [], poolSize: 4 })),
    ],
    controllers: [MethodRoutes, ClassRoutes],
    providers: [
      Clock,
      CredentialAuthenticators,
      EffectiveSettingsService,
      SessionAcceptanceService,
      SettingsLayersQuery,
      OrganizationScopeQuery,
      RequestAuthenticationService,
      SessionRequirementsQuery,
      SessionCookie,
      { provide: APP_GUARD, useClass: AccessGuard },
    ],
  })
  class TestModule {}
  const routes = await NestFactory.create<NestExpressApplication>(TestModule, { logger: false, abortOnError: false });
  routes.use(requestContext).useGlobalFilters(new ProblemFilter(config));
  await routes.listen(0, '127.0.0.1');
  routes.get(CredentialAuthenticators).register({
    transports: ['bearer', 'cookie'],
    authenticate: async (token) => {
      if (token === 'unreadable') throw new Error('The database is gone.');
      if (token === 'expired') throw new Unauthenticated('It has expired.');
      return credentials.get(token) ?? null;
    },
  });
  return routes;
}

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startRoutes();
  url = await app.getUrl();
  cookieName = app.get(SessionCookie).name;
});

afterAll(async () => {
  await app?.close();
  await database?.drop();
});

beforeEach(async () => {
  credentials.clear();
  const [root, child, other] = [newId('organization'), newId('organization'), newId('organization')];
  ids = { root, child, other };
  await insertOrganizations(
    app.get(DataSource),
    { id: root, tenantId: root, ancestorIds: [] },
    { id: child, tenantId: root, ancestorIds: [root] },
    { id: other, tenantId: other, ancestorIds: [] },
  );
});

const change = (id: string, column: 'status' | 'settings_overrides', value: unknown) =>
  app.get(DataSource).query(`UPDATE organizations SET ${column} = $2 WHERE id = $1`, [id, value]);

/** Sets the caller of requests with the bearer token `token`. */
function setCaller(caller: AuthenticatedCaller['caller'], more: Partial<AuthenticatedCaller> = {}): void {
  credentials.set('token', { caller, actor: { type: 'api', id: caller.id ?? '' }, ...more });
}
const key = (permissions: string[], ...organizationIds: string[]) =>
  setCaller({ kind: 'key', id: 'key_1', tenantId: ids.root, organizationIds, permissions });

/** Sets a user as the caller. `grants` has the permissions by organization. By default, the session is in the organization `other`. */
function user(
  grants: Record<string, string[]>,
  session: {
    organizationId?: string;
    methods?: string[];
    enrolmentOnly?: boolean;
    allowedNetworks?: string[];
    idleSeconds?: number;
  } = {},
) {
  setCaller(
    {
      kind: 'user',
      id: 'usr_1',
      tenantId: ids.root,
      organizationIds: Object.keys(grants),
      permissions: [],
      grants: Object.entries(grants).map(([organizationId, permissions]) => ({ organizationId, permissions })),
    },
    {
      session: {
        id: 'ses_1',
        organizationId: session.organizationId ?? ids.other,
        authenticationMethods: session.methods ?? ['password'],
        enrolmentOnly: session.enrolmentOnly ?? false,
        longestIdleSeconds: session.idleSeconds ?? 0,
        rules: strictestSettings([{ ...resolveSettings([]).values, allowedNetworks: session.allowedNetworks ?? [] }]),
        createdAt: new Date(),
        authenticatedAt: new Date(),
        expiresAt: new Date(),
      },
    },
  );
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = { authorization: 'Bearer token' },
): Promise<GuardResponse> {
  const response = await fetch(`${url}${path}`, { method, headers });
  const body = (await response.json()) as { code?: string; detail?: string };
  const { code, detail } = body;
  return { status: response.status, code, detail, cookies: response.headers.getSetCookie(), ctx: body as RequestContext };
}
const read = (id: string) => send('GET', `/organizations/${id}`);
const write = (id: string) => send('POST', `/organizations/${id}`);
const withCookie = (token: string, more: Record<string, string> = {}) => ({ cookie: `${cookieName}=${token}`, ...more });

describe('a caller', () => {
  it('is not authenticated on a public route', async () => {
    for (const path of ['/open', '/class/open'])
      expect(await send('GET', path, {})).toMatchObject({ status: 200, ctx: { caller: { kind: 'anonymous' } } });
  });

  it.each([
    ['no credentials', {}, /Send an API key or a session token/],
    ['an unknown token', { authorization: 'Bearer other' }, /neither an API key nor a session token/],
    [
      'its own JWT',
      jwt({ iss: BASE_URL, aud: 'https://app.example.com' }),
      /JWT that this service issued for "https:\/\/app\.example\.com"/,
    ],
    [
      'a foreign JWT',
      jwt({ iss: 'https://other.example.com' }),
      /JWT of "https:\/\/other\.example\.com", not of this service.*resource=/,
    ],
    ['a mistyped API key', { authorization: 'Bearer service_sk_123' }, /checksum is wrong/],
    ['an expired token', { authorization: 'Bearer expired' }, /has expired/],
    ['a password', { authorization: 'Basic token' }, /must have the form/],
  ] as [string, Record<string, string>, RegExp][])('is rejected with %s on every route', async (_, headers, detail) => {
    for (const path of [`/organizations/${ids.root}`, '/organizations/none', '/everywhere', '/own'])
      expect(await send('GET', path, headers)).toMatchObject({ status: 401, detail: expect.stringMatching(detail), cookies: [] });
  });

  it('is added to the request context', async () => {
    key(['users:read'], ids.root);
    expect((await read(ids.root)).ctx).toMatchObject({
      caller: { kind: 'key', id: 'key_1', permissions: ['users:read'] },
      actor: { type: 'api', id: 'key_1' },
      organization: { id: ids.root, tenantId: ids.root, slug: `slug-${ids.root}`, status: 'active', ancestorIds: [] },
      source: 'api',
      requestId: expect.stringMatching(/^req_/),
      ipAddress: expect.stringContaining('127.0.0.1'),
    });
  });

  it('has the organization of its SCIM connection', async () => {
    const organization = {
      id: ids.child,
      tenantId: ids.root,
      name: 'Name',
      slug: 'child',
      status: 'active' as const,
      ancestorIds: [],
    };
    const scim = { organization, name: 'Directory', adoptExistingUsers: false, mode: 'active' as const };
    setCaller({ kind: 'scim', id: 'scim_1', tenantId: ids.root, organizationIds: [ids.child], permissions: ['*'], scim });
    expect(await send('GET', '/scim/scim_1')).toMatchObject({ status: 200, ctx: { organization } });
    expect(await send('GET', '/scim/scim_2')).toMatchObject({ status: 401 });
    expect(await read(ids.child)).toMatchObject({ status: 403 });
  });

  it('gets 500 on a route without declared access', async () => {
    setCaller({ kind: 'platform', permissions: ['*'] });
    const logged: string[] = [];
    const error = (entry: { err: Error }) => void logged.push(entry.err.message);
    Logger.overrideLogger({ error, log: () => undefined, warn: () => undefined });
    for (const path of ['/undeclared', '/misdeclared']) expect(await send('GET', path)).toMatchObject({ status: 500 });
    Logger.overrideLogger(false);
    expect(logged).toEqual(['MethodRoutes.undeclared does not declare its access.', 'The route has no path parameter "org".']);
  });
});

describe('a session cookie', () => {
  beforeEach(() => user({ [ids.root]: ['users:read', 'users:write'] }));

  it('authenticates GET requests from any origin', async () => {
    const answer = await send('GET', `/organizations/${ids.root}`, withCookie('token', { 'sec-fetch-site': 'cross-site' }));
    expect(answer).toMatchObject({ status: 200, cookies: [], ctx: { source: 'dashboard', caller: { id: 'usr_1' } } });
  });

  it('allows POST requests only from the origin of the service', async () => {
    const from = (site: string) => send('POST', `/organizations/${ids.root}`, withCookie('token', { 'sec-fetch-site': site }));
    expect(await from('same-origin')).toMatchObject({ status: 201, ctx: { source: 'dashboard' } });
    expect(await from('cross-site')).toMatchObject({ status: 403, code: 'cross_origin', cookies: [] });
    expect(await from('same-site')).toMatchObject({ status: 403, code: 'cross_origin' });
  });

  it.each([
    ['unknown', /cookie does not contain a session token.*Sign in again/],
    ['expired', /has expired/],
  ])('is cleared if the token is %s', async (token, detail) => {
    expect(await send('GET', '/own', withCookie(token))).toMatchObject({
      status: 401,
      detail: expect.stringMatching(detail),
      cookies: [expect.stringMatching(new RegExp(`^${cookieName}=;.*Expires=Thu, 01 Jan 1970`))],
    });
  });

  it('is kept after a 404 or a 500', async () => {
    expect(await send('GET', `/organizations/${ids.other}`, withCookie('token'))).toMatchObject({ status: 404, cookies: [] });
    expect(await send('GET', '/own', withCookie('unreadable'))).toMatchObject({ status: 500, cookies: [] });
  });

  it('is ignored if the request has an Authorization header', async () => {
    expect(await send('GET', '/own', { ...withCookie('token'), authorization: 'Bearer other' })).toMatchObject({ status: 401 });
  });
});

describe('the organization in the path', () => {
  it('is found by ID and slug', async () => {
    key(['users:read'], ids.root);
    expect(await read(`slug-${ids.root}`)).toMatchObject({ status: 200, ctx: { organization: { id: ids.root } } });
    expect(await read(ids.child)).toMatchObject({
      status: 200,
      ctx: { organization: { id: ids.child, tenantId: ids.root, ancestorIds: [ids.root] } },
    });
  });

  it('is reported as nonexistent if the caller has no access', async () => {
    key(['*'], ids.child);
    const unknown = newId('organization');
    const responses = await Promise.all([ids.root, ids.other, unknown, `slug-${ids.other}`, 'nil%00'].map(read));
    for (const answer of responses) expect(answer).toMatchObject({ status: 404, code: 'organization_not_found' });
    const [ancestorDetail, , nonexistentDetail] = responses.map(({ detail }) => detail);
    expect(ancestorDetail?.replace(ids.root, '')).toBe(nonexistentDetail?.replace(unknown, ''));
  });

  it('is checked before the permission', async () => {
    key(['roles:read'], ids.root);
    expect(await read(ids.child)).toMatchObject({
      status: 403,
      code: 'forbidden',
      detail: expect.stringContaining('"users:read"'),
    });
    expect(await write(ids.child)).toMatchObject({ status: 403, detail: expect.stringContaining('"users:write"') });
    expect(await read(ids.other)).toMatchObject({ status: 404 });
  });

  it('includes permissions of roles in the ancestors', async () => {
    user({ [ids.root]: ['users:read'], [ids.child]: ['users:write'] });
    expect(await write(ids.child)).toMatchObject({
      status: 201,
      ctx: { caller: { permissions: ['users:read', 'users:write'] } },
    });
    expect(await write(ids.root)).toMatchObject({ status: 403 });
    expect(await read(ids.root)).toMatchObject({ status: 200, ctx: { caller: { organizationIds: [ids.root] } } });
  });

  it.each([
    ['suspended', 'organization_suspended'],
    ['pending', 'organization_pending'],
  ])('rejects changes while %s', async (status, code) => {
    key(['*'], ids.root);
    await change(ids.root, 'status', status);
    expect(await write(ids.root)).toMatchObject({ status: 409, code });
    expect(await read(ids.root)).toMatchObject({ status: 200 });
    expect(await send('POST', `/organizations/${ids.root}/resume`)).toMatchObject({ status: 201 });
  });

  it('reveals the suspension only to callers with the permission', async () => {
    key(['users:read'], ids.root);
    await change(ids.root, 'status', 'suspended');
    expect(await write(ids.root)).toMatchObject({ status: 403 });
  });
});

describe('a suspended caller', () => {
  const caller = () => ({
    kind: 'key' as const,
    id: 'key_1',
    tenantId: ids.root,
    organizationIds: [ids.root],
    permissions: ['*'],
  });
  const activate = () => send('POST', `/organizations/${ids.root}/activate`);
  const resume = () => send('POST', `/organizations/${ids.root}/resume`);
  const rejected = { status: 403, code: 'organization_suspended', detail: expect.stringMatching(/works again after/) };

  it('can only activate the organization', async () => {
    setCaller({ ...caller(), suspended: true });
    for (const answer of [await read(ids.root), await write(ids.root), await resume(), await send('GET', '/everywhere')])
      expect(answer).toMatchObject(rejected);
    expect(await activate()).toMatchObject({ status: 201 });
  });

  it('can read if the configuration allows reads', async () => {
    const reading = await startRoutes({ SUSPENDED_ORGANIZATION_READS: 'true' });
    url = await reading.getUrl();
    try {
      setCaller({ ...caller(), suspended: true });
      for (const answer of [await read(ids.root), await send('GET', '/everywhere')])
        expect(answer).toMatchObject({ status: 200 });
      for (const answer of [await write(ids.root), await resume()]) expect(answer).toMatchObject(rejected);
      expect(await activate()).toMatchObject({ status: 201 });
    } finally {
      url = await app.getUrl();
      await reading.close();
    }
  });
});

describe('the MFA requirement', () => {
  const requireMfaIn = (id: string, ...mfaMethods: string[]) =>
    change(id, 'settings_overrides', JSON.stringify({ requireMfa: true, ...(mfaMethods.length > 0 ? { mfaMethods } : {}) }));

  it('applies to sessions in descendant organizations', async () => {
    await requireMfaIn(ids.root, 'totp');
    user({ [ids.root]: ['users:read'] });
    for (const id of [ids.root, ids.child]) expect(await read(id)).toMatchObject({ status: 403, code: 'mfa_required' });
    user({ [ids.root]: ['users:read'] }, { methods: ['password', 'sms'] });
    expect(await read(ids.child)).toMatchObject({ status: 403, code: 'mfa_required' });
    user({ [ids.root]: ['users:read'] }, { methods: ['password', 'totp'] });
    expect(await read(ids.child)).toMatchObject({ status: 200 });
  });

  it('does not apply to API keys', async () => {
    await requireMfaIn(ids.child);
    key(['users:read'], ids.root);
    expect(await read(ids.child)).toMatchObject({ status: 200 });
    user({ [ids.root]: ['users:read'] });
    expect(await read(ids.root)).toMatchObject({ status: 200 });
  });

  it('is not checked in the organization of the session', async () => {
    await requireMfaIn(ids.root);
    user({ [ids.root]: ['users:read'] }, { organizationId: ids.root });
    expect(await read(ids.root)).toMatchObject({ status: 200 });
    expect(await read(ids.child)).toMatchObject({ status: 403, code: 'mfa_required' });
  });

  it('excludes organizations on routes without an organization', async () => {
    await requireMfaIn(ids.child);
    user({ [ids.root]: ['users:read'], [ids.other]: ['roles:read'] });
    expect((await send('GET', '/everywhere')).ctx.caller).toMatchObject({
      organizationIds: [ids.root],
      inaccessibleOrganizationIds: [ids.child],
      permissions: ['users:read'],
    });
    user({ [ids.root]: ['users:read'] }, { methods: ['passkey'] });
    expect((await send('GET', '/everywhere')).ctx.caller).toMatchObject({ inaccessibleOrganizationIds: [] });
    key(['users:read'], ids.root);
    expect((await send('GET', '/everywhere')).ctx.caller).not.toHaveProperty('inaccessibleOrganizationIds');
  });

  it('allows only enrollment in a session without a factor', async () => {
    user({ [ids.root]: ['*'] }, { enrolmentOnly: true });
    for (const path of [`/organizations/${ids.root}`, `/organizations/${ids.other}`, '/everywhere', '/own'])
      expect(await send('GET', path)).toMatchObject({ status: 403, code: 'mfa_enrolment_required' });
    expect(await send('POST', '/own')).toMatchObject({ status: 201 });
  });
});

describe('a session', () => {
  const NETWORKS = { allowedNetworks: ['192.0.2.0/24'] };
  const grants = () => ({ [ids.root]: ['users:read'] });
  const set = (overrides: object) => change(ids.root, 'settings_overrides', JSON.stringify(overrides));

  it('is accepted only from the networks of the organization in the path and of its own rules', async () => {
    const rejected = {
      status: 403,
      code: 'network_not_allowed',
      detail: expect.stringMatching(/^The organization "Name" can't be managed .* Use a network .* allowedNetworks/),
    };
    user(grants(), NETWORKS);
    expect(await read(ids.child)).toMatchObject(rejected);
    user(grants());
    expect(await read(ids.child)).toMatchObject({ status: 200 });
    await set(NETWORKS);
    expect(await read(ids.child)).toMatchObject(rejected);
  });

  it.each([
    [300, 600, 5],
    [900, 0, 0],
  ])('is accepted only within the timeout %i s and the lifetime %i s', async (sessionTimeout, sessionLifetime, minutes) => {
    await set({ sessionTimeout, sessionLifetime });
    user(grants(), { idleSeconds: 300 });
    expect(await read(ids.child)).toMatchObject({
      status: 401,
      code: 'reauthentication_required',
      detail: expect.stringContaining(`signed in or confirmed your identity in the last ${minutes} minutes`),
    });
  });
});

describe('a route without an organization', () => {
  it('requires the permission in at least one organization', async () => {
    user({ [ids.root]: ['roles:read'], [ids.child]: ['users:*'] });
    expect(await send('GET', '/everywhere')).toMatchObject({ status: 200, ctx: { caller: { organizationIds: [ids.child] } } });
    user({ [ids.root]: ['roles:read'] });
    expect(await send('GET', '/everywhere')).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('requires a user session if the route is an account route', async () => {
    user({});
    expect(await send('GET', '/own')).toMatchObject({ status: 200, ctx: { session: { id: 'ses_1' } } });
    key(['*'], ids.root);
    expect(await send('GET', '/own')).toMatchObject({ status: 403, code: 'forbidden' });
    setCaller({ kind: 'platform', permissions: ['*'] }, { operatorSession: { id: 'ops_1', expiresAt: new Date() } });
    expect(await send('GET', '/own')).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await send('POST', '/own')).toMatchObject({ status: 201 });
  });
});

describe('a long request', () => {
  it('continues while the caller is authorized', async () => {
    key(['users:read'], ids.root);
    expect(await send('GET', `/organizations/${ids.child}/stream/on`)).toMatchObject({ status: 200 });
  });

  it('ends when the caller loses access', async () => {
    key(['users:read'], ids.root);
    expect(await send('GET', `/organizations/${ids.child}/stream/revoked`)).toMatchObject({ status: 401 });
    user({});
    expect(await send('GET', '/own/stream', withCookie('token'))).toMatchObject({
      status: 200,
      code: 'unauthenticated',
      cookies: [],
    });
  });
});
