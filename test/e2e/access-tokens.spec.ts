import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#platform/common';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { startApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { DAY_MS, later } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';
import { testServer } from '../support/test-server.js';

const VERIFIER = join(import.meta.dirname, '../../examples/verify-access-token.mjs');
const AUDIENCE = 'https://app.example.com';
/** A key signs for 30 days. */
const DAYS = sized(40, 100, 100);

const app = testApp();
let user: SignedIn;
let organizationId: string;
beforeAll(async () => {
  organizationId = (await newOrganization(app)).id;
  user = await signedIn(app, organizationId, { methods: ['password', 'totp'] });
});

describe('an access token', () => {
  const other = testServer(() => startApp({ ...app.config }));
  let aheadMs = 0;

  beforeAll(async () => {
    for (const { app: nest } of [app, other]) nest.get(Clock).now = () => new Date(Date.now() + aheadMs);
  });

  const issue = async (audience?: string): Promise<string> => {
    const { body } = await user.client.post('/v1/auth/token', audience === undefined ? undefined : { audience }).expect(201);
    expect(body.data).toMatchObject({ tokenType: 'Bearer', expiresAt: expect.any(String) });
    expect(body.data.expiresIn).toBeGreaterThanOrEqual(298);
    return body.data.accessToken;
  };
  const keySet = async (instance = app): Promise<TestBody[]> =>
    (await instance.api.anonymous.get('/.well-known/jwks.json').expect(200)).body.keys;
  /** Verifies a token with the published keys, like another service. */
  const verify = async (token: string, audience: string, instance = other): Promise<JWTPayload> => {
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', instance.url));
    const options = { issuer: app.config.baseUrl, audience, algorithms: ['ES256'], currentDate: new Date(Date.now() + aheadMs) };
    return (await jwtVerify(token, keys, options)).payload;
  };

  it('contains the user, the organization and the authentication methods, and is rejected as a credential for the API', async () => {
    const token = await issue(AUDIENCE);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
    const payload = await verify(token, AUDIENCE);
    expect(payload).toEqual({
      client_id: app.config.baseUrl,
      iss: app.config.baseUrl,
      aud: AUDIENCE,
      sub: user.id,
      sid: user.sessionId,
      org: organizationId,
      tenant: organizationId,
      auth_time: expect.any(Number),
      amr: ['password', 'totp'],
      iat: expect.any(Number),
      exp: payload.iat! + 300,
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect((await verify(await issue(), app.config.baseUrl)).jti).not.toBe(payload.jti);
    const client = app.api.as(await issue());
    await client.get('/v1/auth/me').expect(401);
    await client.get(`/v1/organizations/${organizationId}`).expect(401);
    await app.api.platform.post('/v1/auth/token', { audience: AUDIENCE }).expect(403);
    const ended = await signedIn(app, organizationId);
    await ended.client.post('/v1/auth/logout').expect(204);
    await ended.client.post('/v1/auth/token', { audience: AUDIENCE }).expect(401);
  });

  it('is signed with a private key that is stored encrypted', async () => {
    const { headers, body } = await app.api.anonymous.get('/.well-known/jwks.json').expect(200);
    expect(headers.get('cache-control')).toBe('public, max-age=600');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    for (const key of body.keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const plain = `SELECT FROM signing_keys WHERE private_jwk_sealed NOT LIKE 'v1.%' OR public_jwk::text LIKE '%"d"%'`;
    expect(await app.database.query(plain)).toEqual([]);
  });

  it('stays verifiable while several processes rotate the keys', async () => {
    await app.database.query('DELETE FROM signing_keys');
    const signers = new Set<string>();
    try {
      for (aheadMs = DAY_MS; aheadMs < DAYS * DAY_MS; aheadMs += DAY_MS / 2) {
        await app.database.query('UPDATE sessions SET expires_at = $1, created_at = $2, last_seen_at = $2', [
          new Date(Date.now() + 200 * DAY_MS),
          new Date(Date.now() + aheadMs),
        ]);
        const before = await keySet(other);
        const [first, second] = await Promise.all([
          issue(AUDIENCE),
          other.api.as(user.token).post('/v1/auth/token', { audience: AUDIENCE }).expect(201),
        ]);
        for (const token of [first, second.body.data.accessToken as string]) {
          const { kid } = decodeProtectedHeader(token);
          signers.add(kid!);
          // The key was published before the service signed tokens with it.
          expect(before.map((key) => key.kid)).toContain(kid);
          expect((await verify(token, AUDIENCE, other)).sub).toBe(user.id);
        }
        expect(before.length).toBeLessThanOrEqual(2);
      }
    } finally {
      // Other tests need current keys and an active session.
      aheadMs = 0;
      await app.database.query('DELETE FROM signing_keys');
      user = await signedIn(app, organizationId, { methods: ['password', 'totp'] });
    }
    expect(signers.size).toBe(Math.ceil(DAYS / 30));
  }, 120_000);
});

describe('the access token example', () => {
  let verifier: ChildProcess;
  let url: string;
  let expired: string;

  beforeAll(async () => {
    await tokenFor(AUDIENCE);
    // A token from six minutes ago, signed with a key of that time. The example fetches the keys after this.
    expired = await later(app, -6 * 60_000, () => tokenFor(AUDIENCE));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}/`;
    const settings = { IDENTITY_URL: app.url, ISSUER: app.config.baseUrl, AUDIENCE, VERIFIER_PORT: String(port) };
    verifier = spawn(process.execPath, [VERIFIER], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(verifier.stdout!, 'data');
  });
  afterAll(async () => {
    verifier.kill();
    await once(verifier, 'exit');
  });

  const tokenFor = async (audience: string): Promise<string> =>
    (await made(user.client, '/v1/auth/token', { audience })).accessToken;
  const visit = async (token?: string): Promise<[number, string]> => {
    const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    return [response.status, await response.text()];
  };

  it('accepts only unexpired tokens for the configured audience with a valid signature', async () => {
    const token = await tokenFor(AUDIENCE);
    expect(await visit(token)).toEqual([200, `Hello ${user.id} of ${organizationId}\n`]);
    for (const rejected of [await tokenFor('https://other.example.com'), token.slice(0, -5), user.token, undefined])
      expect((await visit(rejected))[0]).toBe(401);
    const claims = decodeJwt(token);
    const { kid } = decodeProtectedHeader(token);
    const { keys } = (await app.api.anonymous.get('/.well-known/jwks.json').expect(200)).body;
    expect(keys).toHaveLength(2);
    const publicKey = new TextEncoder().encode(JSON.stringify(keys[0]));
    const own = await generateKeyPair('ES256');
    const signed = (header: object) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header }).sign(own.privateKey);
    for (const forged of [
      expired,
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid }).sign(publicKey),
      await signed({}),
      await signed({ kid }),
      await signed({ kid: 'own' }),
      await signed({ jwk: await exportJWK(own.publicKey) }),
      await signed({ kid, jku: new URL('/jwks.json', url).href, x5u: new URL('/key.pem', url).href }),
    ])
      expect([forged, (await visit(forged))[0]]).toEqual([forged, 401]);
  });
});
