import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import type { TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import {
  ACCESS_TOKEN_TYPE,
  OAuthApplication,
  refusal,
  startIssuer,
  TOKEN_EXCHANGE,
  type Tokens,
} from '../support/oauth-application.js';
import { later } from '../support/sign-in.js';
import { impersonating, type SignedIn, signedIn } from '../support/signed-in.js';

// Programs that act on behalf of a user (RFC 8693). `oauth-standing.spec.ts` has what ends the access of the user.
const [ORDERS, LEDGER, ARCHIVE] = ['https://orders.example.com', 'https://ledger.example.com', 'https://archive.example.com'];
const SCOPES = ['members:read', 'users:write', 'invoices:read'];

let app: TestApp;
let acme: string;
let north: string;
let ada: SignedIn;
/** The application of the user, and the programs behind the two APIs. */
let shop: OAuthApplication;
let orders: OAuthApplication;
let ledger: OAuthApplication;

const create = async (path: string, body: object) => (await app.api.platform.post(path, body).expect(201)).body.data;
const organization = async (name: string, parentId?: string): Promise<string> =>
  (await create('/v1/organizations', { name, parentId })).id;
const api = (home: string, identifier: string) =>
  create(`/v1/organizations/${home}/oauth-resources`, { identifier, name: identifier, scopes: SCOPES.map((name) => ({ name })) });
const own = () => app.config.baseUrl;
/** The API of this service has no scopes of other APIs. */
const access = (scopes: readonly string[], ...identifiers: string[]) => ({
  resources: identifiers.map((identifier) => ({
    identifier,
    scopes: scopes.filter((scope) => identifier !== own() || scope !== 'invoices:read'),
  })),
});
/** Returns the program behind an API, which calls others. */
const service = (home: string, audience: string, ...others: string[]) =>
  OAuthApplication.service(app, home, { audiences: [audience], ...access(['members:read', 'users:write'], ...others) });

/** Returns a token of the user for an API. */
const tokenOf = async (application = shop, resource = ORDERS, scope = SCOPES.slice(0, 2).join(' ')): Promise<string> =>
  (await application.signIn(ada, { scope: `openid ${scope}`, resource, organization: north })).access_token;

beforeAll(async () => {
  app = await startIssuer();
  acme = await organization('Acme');
  north = await organization('North', acme);
  for (const each of [ORDERS, LEDGER, ARCHIVE]) await api(acme, each);
  shop = await OAuthApplication.create(app, acme, access(SCOPES, ORDERS, own()));
  [orders, ledger] = [await service(acme, ORDERS, LEDGER, own()), await service(acme, LEDGER, own())];
  ada = await signedIn(app, north, { roles: ['admin'] });
});

afterAll(() => app?.close());

describe('an exchanged token', () => {
  it('acts for the user within fewer scopes, and events name all clients', async () => {
    const tokens = await orders.exchangeToken(await tokenOf(), { resource: own(), scope: 'users:write' });
    expect(tokens).toMatchObject({ issued_token_type: ACCESS_TOKEN_TYPE, token_type: 'bearer', scope: 'users:write' });
    expect(tokens.expires_in).toBeLessThanOrEqual(300);
    expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
    const acting = app.api.as(tokens.access_token);
    await acting.get(`/v1/organizations/${north}/members`).expect(403);
    await acting.get(`/v1/organizations/${acme}/users`).expect(404);
    await acting.get('/oauth/userinfo').expect(403);
    const { body } = await acting.post(`/v1/organizations/${north}/users`, { email: 'new@example.com' }).expect(201);
    const inspected = await orders.introspect(tokens.access_token);
    expect(inspected).toMatchObject({ active: true, sub: ada.id, client_id: orders.clientId, act: { sub: orders.clientId } });
    expect((await shop.introspect(tokens.access_token)).active).toBe(false);

    await numberedEvents(app);
    const eventOf = async (query: string) =>
      (await app.api.platform.get(`/v1/organizations/${north}/events?${query}`).expect(200)).body.data[0];
    const [first, last] = [
      { id: shop.clientId, name: 'Billing' },
      { id: orders.clientId, name: 'Service' },
    ];
    const { actor } = await eventOf(`type=user.created&userId=${body.data.id}`);
    expect(actor).toEqual({ type: 'user', id: ada.id, email: ada.email, client: last, clientChain: [first, last] });
    const { data } = await eventOf(`type=token.exchanged&userId=${ada.id}`);
    expect(data).toMatchObject({ issuedToClientId: first.id, actorClientIds: [last.id], fromAudience: ORDERS, audience: own() });
  });

  it('can be exchanged again by the program behind the next API, and never lives longer', async () => {
    const first = await tokenOf();
    const second = await later(app, 200_000, () => orders.exchangeToken(first, { audience: LEDGER }));
    const claims = decodeJwt(second.access_token);
    const act = { sub: orders.clientId };
    expect(claims).toMatchObject({ sub: ada.id, client_id: orders.clientId, aud: LEDGER, org_id: north, act });
    expect(claims['permissions']).toEqual(['members:read', 'users:write']);
    expect(second.expires_in).toBeLessThanOrEqual(100);
    const third = await ledger.exchangeToken(second.access_token, { resource: own() });
    expect(await ledger.introspect(third.access_token)).toMatchObject({ act: { sub: ledger.clientId, act } });
    await app.api.as(third.access_token).get(`/v1/organizations/${north}/members`).expect(200);
    expect(await later(app, 301_000, () => refusal(orders.exchangeToken(first, { resource: LEDGER })))).toBe('invalid_request');
  });

  it('is refused after several exchanges, also of two programs in turn, and names them in their order', async () => {
    const [one, other] = [await service(acme, ORDERS, LEDGER), await service(acme, LEDGER, ORDERS)];
    let token = await tokenOf();
    for (const [program, resource] of [
      [one, LEDGER],
      [other, ORDERS],
      [one, LEDGER],
      [other, ORDERS],
    ] as const)
      token = (await program.exchangeToken(token, { resource })).access_token;
    const [first, second] = [one.clientId, other.clientId];
    const act = { sub: second, act: { sub: first, act: { sub: second, act: { sub: first } } } };
    expect(decodeJwt(token)).toMatchObject({ client_id: second, act });
    expect(await refusal(one.exchangeToken(token, { resource: LEDGER }))).toBe('invalid_request');
  });

  it('is revoked alone, and ends with the sign-in', async () => {
    const signIn = await shop.signIn(ada, { scope: 'openid members:read', resource: ORDERS, organization: north });
    const [one, other] = [
      await orders.exchangeToken(signIn.access_token, { resource: own() }),
      await orders.exchangeToken(signIn.access_token, { resource: own() }),
    ];
    const members = (tokens: Tokens) => app.api.as(tokens.access_token).get(`/v1/organizations/${north}/members`);
    await orders.revoke(one.access_token);
    expect([(await members(one)).status, (await members(other)).status]).toEqual([401, 200]);
    await shop.revoke(signIn.refresh_token!);
    expect((await members(other)).status).toBe(401);
    expect(await refusal(orders.exchangeToken(signIn.access_token, { resource: own() }))).toBe('invalid_request');
  });
});

describe('an exchange', () => {
  let elsewhere: OAuthApplication;
  let child: OAuthApplication;
  let tokens: Tokens;
  beforeAll(async () => {
    const other = await organization('Other');
    const theirs = await api(other, 'https://other.example.com');
    elsewhere = await service(other, theirs.identifier, own());
    child = await service(await organization('South', acme), ORDERS, own());
    tokens = await shop.signIn(ada, { scope: 'openid members:read', resource: ORDERS, organization: north });
  });
  const forged = (claims: object) =>
    new SignJWT({ ...decodeJwt(tokens.access_token), ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(new TextEncoder().encode('a secret of at least 32 characters'));

  it.each<[string, string, () => Promise<unknown>]>([
    [
      'of a token for the API of another program',
      'invalid_request',
      () => ledger.exchangeToken(tokens.access_token, { resource: own() }),
    ],
    [
      'of a token for an API that the program only calls',
      'invalid_request',
      async () => {
        const cashier = await OAuthApplication.create(app, acme, access(SCOPES, LEDGER));
        return orders.exchangeToken(await tokenOf(cashier, LEDGER), { resource: own() });
      },
    ],
    ['in an organization out of reach', 'invalid_request', () => child.exchangeToken(tokens.access_token, { resource: own() })],
    ['of a token of another tenant', 'invalid_request', () => elsewhere.exchangeToken(tokens.access_token, { resource: own() })],
    [
      'of a token of another application for this API',
      'invalid_request',
      async () => orders.exchangeToken(await tokenOf(shop, own()), { resource: own() }),
    ],
    [
      'of a token for the profile',
      'invalid_request',
      async () => orders.exchangeToken((await shop.signIn(ada, { organization: north })).access_token, { resource: own() }),
    ],
    ['of an ID token', 'invalid_request', () => orders.exchangeToken(tokens.id_token!, { resource: own() })],
    ['of a refresh token', 'invalid_request', () => orders.exchangeToken(tokens.refresh_token!, { resource: own() })],
    [
      'of a token that another key signed',
      'invalid_request',
      async () => orders.exchangeToken(await forged({}), { resource: own() }),
    ],
    [
      'of an unsigned token',
      'invalid_request',
      () => orders.exchangeToken(new UnsecuredJWT(decodeJwt(tokens.access_token)).encode(), { resource: own() }),
    ],
    [
      'for more scopes than the token has',
      'invalid_scope',
      () => orders.exchangeToken(tokens.access_token, { resource: own(), scope: 'members:read users:write' }),
    ],
    [
      'for scopes that the program lacks',
      'invalid_scope',
      async () => orders.exchangeToken(await tokenOf(shop, ORDERS, 'invoices:read'), { resource: LEDGER }),
    ],
    [
      'for an API that the program can not call',
      'invalid_target',
      () => orders.exchangeToken(tokens.access_token, { resource: ARCHIVE }),
    ],
    ['for two APIs', 'invalid_target', () => orders.exchangeToken(tokens.access_token, { resource: own(), audience: LEDGER })],
    ['for no API', 'invalid_target', () => orders.exchangeToken(tokens.access_token, {})],
    [
      'with another actor',
      'invalid_request',
      () => orders.exchangeToken(tokens.access_token, { resource: own(), actor_token: tokens.access_token }),
    ],
    [
      'with another type of token',
      'invalid_request',
      () =>
        orders.exchangeToken(tokens.access_token, {
          resource: own(),
          subject_token_type: ACCESS_TOKEN_TYPE.replace('access', 'id'),
        }),
    ],
    [
      'for another type of token',
      'invalid_request',
      () =>
        orders.exchangeToken(tokens.access_token, {
          resource: own(),
          requested_token_type: ACCESS_TOKEN_TYPE.replace('access', 'refresh'),
        }),
    ],
    ['by a client without the grant type', 'invalid_request', () => shop.exchangeToken(tokens.access_token, { resource: own() })],
  ])('%s is refused with %s', async (_, error, exchange) => {
    expect(await refusal(exchange())).toBe(error);
  });

  it('of a token that a session got before the API existed is refused, also of an impersonator', async () => {
    const audience = 'https://later.example.com';
    const support = await signedIn(app, acme, { roles: ['owner'] });
    const sessions = [ada, await impersonating(app, support, ada, north)];
    const issued = await Promise.all(sessions.map(({ client }) => client.post('/v1/auth/token', { audience }).expect(201)));
    await api(acme, audience);
    const program = await service(acme, audience, own());
    for (const { body } of issued)
      expect(await refusal(program.exchangeToken(body.data.accessToken, { resource: own() }))).toBe('invalid_request');
  });

  it('of the own token gives no more than the user allowed for the API', async () => {
    const both = await OAuthApplication.create(app, acme, {
      ...access(SCOPES, ORDERS, own()),
      grantTypes: ['authorization_code', TOKEN_EXCHANGE],
    });
    const token = await tokenOf(both);
    expect(await refusal(both.exchangeToken(token, { resource: own() }))).toBe('invalid_scope');
    expect((await both.exchangeToken(token, { resource: ORDERS, scope: 'members:read' })).scope).toBe('members:read');
  });

  it('of tokens for the API of this service is for no program', async () => {
    const body = { name: 'Service', type: 'machine', grantTypes: [TOKEN_EXCHANGE], audiences: [own()] };
    const { errors } = (await app.api.platform.post(`/v1/organizations/${acme}/oauth-clients`, body).expect(400)).body;
    expect(errors[0].pointer).toBe('/audiences/0');
  });

  it.each([
    { type: 'single_page', authentication: 'none' },
    { type: 'native', authentication: 'none' },
  ])('is not for clients without a secret: $type', async (fields) => {
    const body = {
      name: 'App',
      redirectUris: ['https://app.example.com/'],
      ...fields,
      grantTypes: ['authorization_code', TOKEN_EXCHANGE],
    };
    const { errors } = (await app.api.platform.post(`/v1/organizations/${acme}/oauth-clients`, body).expect(400)).body;
    expect(errors[0].pointer).toBe('/grantTypes');
  });
});

describe('the access of a program', () => {
  const clients = () => `/v1/organizations/${acme}/oauth-clients`;
  const patch = (id: string, body: object) => app.api.platform.patch(`${clients()}/${id}`, body).expect(200);
  const machine = async () =>
    OAuthApplication.create(app, acme, { type: 'machine', redirectUris: [], ...access(SCOPES, ORDERS, own()) });
  const credentials = (application: OAuthApplication, resource: string) =>
    application.clientCredentials({ resource, scope: 'members:read users:write' });

  interface Clients {
    readonly program: string;
    readonly application: string;
    readonly sync: string;
  }

  it.each<[string, (clients: Clients) => Promise<unknown>, string | null]>([
    ['the program is disabled', ({ program }) => patch(program, { enabled: false }), null],
    ['the program is deleted', ({ program }) => app.api.platform.delete(`${clients()}/${program}`).expect(204), null],
    ['the program loses the grant type', ({ program }) => patch(program, { grantTypes: ['client_credentials'] }), null],
    ['the program loses the scope', ({ program }) => patch(program, access(['users:write'], own())), null],
    [
      'the program is for another organization',
      ({ program }) => patch(program, { visibility: 'organization' }),
      'machine client',
    ],
    [
      'the first clients are disabled',
      ({ application, sync }) => Promise.all([application, sync].map((id) => patch(id, { enabled: false }))),
      null,
    ],
  ])('ends at once when %s', async (_, end, goesOn) => {
    const program = await service(acme, ORDERS, own());
    const application = await OAuthApplication.create(app, acme, access(SCOPES, ORDERS));
    const sync = await machine();
    const subjects = { user: await tokenOf(application), 'machine client': (await credentials(sync, ORDERS)).access_token };
    const held = Object.entries(subjects).map(async ([kind, subject]) => {
      const { access_token: token } = await program.exchangeToken(subject, { resource: own() });
      return { kind, subject, members: () => app.api.as(token).get(`/v1/organizations/${north}/members`) };
    });
    const tokens = await Promise.all(held);
    for (const { members } of tokens) await members().expect(200);
    await end({ program: program.clientId, application: application.clientId, sync: sync.clientId });
    for (const { kind, subject, members } of tokens) {
      const isGone = (await members()).status !== 200;
      const parameters = { resource: own(), scope: 'members:read' };
      const isRefused = (await refusal(program.exchangeToken(subject, parameters))) !== undefined;
      expect([kind, isGone, isRefused]).toEqual([kind, kind !== goesOn, kind !== goesOn]);
    }
  });

  it('on behalf of a machine client is named in events, and has no more than both', async () => {
    const sync = await machine();
    const { access_token: token } = await credentials(sync, ORDERS);
    const exchanged = await orders.exchangeToken(token, { resource: own() });
    const acting = app.api.as(exchanged.access_token);
    const { body } = await acting.post(`/v1/organizations/${north}/users`, { email: 'machine@example.com' }).expect(201);
    await acting.get(`/v1/organizations/${north}/roles`).expect(403);
    expect(await orders.introspect(exchanged.access_token)).toMatchObject({
      active: true,
      sub: sync.clientId,
      client_id: orders.clientId,
    });
    const jwt = decodeJwt((await orders.exchangeToken(token, { resource: LEDGER })).access_token);
    expect(jwt).toMatchObject({ sub: sync.clientId, client_id: orders.clientId, act: { sub: orders.clientId }, org_id: acme });
    await numberedEvents(app);
    const events = await app.api.platform
      .get(`/v1/organizations/${north}/events?type=user.created&userId=${body.data.id}`)
      .expect(200);
    expect(events.body.data[0].actor).toMatchObject({ type: 'api', id: sync.clientId, client: { id: orders.clientId } });
    expect(await refusal(sync.exchangeToken(token, { resource: own() }))).toBe('invalid_request');
  });

  it('of a machine client with its own token gives no more scopes and no more time', async () => {
    const sync = await OAuthApplication.create(app, acme, {
      type: 'machine',
      redirectUris: [],
      grantTypes: ['client_credentials', TOKEN_EXCHANGE],
      ...access(SCOPES, ORDERS, own()),
    });
    const token = (await sync.clientCredentials({ resource: own(), scope: 'members:read' })).access_token;
    const again = await later(app, 3_000_000, () => sync.exchangeToken(token, { resource: own() }));
    expect(again).toMatchObject({ scope: 'members:read' });
    expect(again.expires_in).toBeLessThanOrEqual(600);
    expect(await refusal(sync.exchangeToken(token, { resource: own(), scope: 'users:write' }))).toBe('invalid_scope');
  });

  it.each<[string, () => { resource: string; exchangesItself: boolean }]>([
    ['JWT', () => ({ resource: ORDERS, exchangesItself: false })],
    ['opaque token', () => ({ resource: own(), exchangesItself: true })],
  ])('of a bound %s needs a proof of the same key, and is bound to it', async (_, choose) => {
    const { resource, exchangesItself } = choose();
    const sync = await OAuthApplication.create(app, acme, {
      type: 'machine',
      redirectUris: [],
      grantTypes: ['client_credentials', TOKEN_EXCHANGE],
      ...access(SCOPES, ORDERS, own()),
    });
    const program = exchangesItself ? sync : orders;
    const [key, otherKey] = [await openid.randomDPoPKeyPair(), await openid.randomDPoPKeyPair()];
    const proving = ({ configuration }: OAuthApplication, pair: typeof key) => ({
      DPoP: openid.getDPoPHandle(configuration, pair),
    });
    const request = { resource, scope: 'members:read' };
    const bound = await openid.clientCredentialsGrant(sync.configuration, request, proving(sync, key));
    const exchange = (pair?: typeof key) =>
      openid.genericGrantRequest(
        program.configuration,
        TOKEN_EXCHANGE,
        { subject_token: bound.access_token, subject_token_type: ACCESS_TOKEN_TYPE, resource: own() },
        pair && proving(program, pair),
      );
    expect([await refusal(exchange()), await refusal(exchange(otherKey))]).toEqual(['invalid_grant', 'invalid_grant']);
    const exchanged = await exchange(key);
    expect(exchanged.token_type).toBe('dpop');
    expect(await program.introspect(exchanged.access_token)).toMatchObject({ active: true, cnf: { jkt: expect.any(String) } });
    await app.api.as(exchanged.access_token).get(`/v1/organizations/${north}/members`).expect(401);
  });

  it('is refused without a proof to a program whose tokens must be bound', async () => {
    const program = await OAuthApplication.service(app, acme, {
      audiences: [ORDERS],
      ...access(SCOPES, own()),
      dpopBoundAccessTokens: true,
    });
    expect(await refusal(program.exchangeToken(await tokenOf(), { resource: own() }))).toBe('invalid_grant');
  });
});
