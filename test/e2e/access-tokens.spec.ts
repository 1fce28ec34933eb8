import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#platform/common';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, SignJWT, generateKeyPair, type JWTPayload } from 'jose';
import { startApp, type TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { sized } from '../support/test-size.js';

const DAY_MS = 24 * 3_600_000;
/** A key signs for 30 days. */
const DAYS = sized(40, 100, 100);

describe('an access token', () => {
  let database: TestDatabase;
  let app: TestApp;
  let other: TestApp;
  let user: SignedIn;
  let organizationId: string;
  let aheadMs = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    const shared = {
      databaseUrl: database.url,
      platformApiKey: `test-platform-${randomBytes(24).toString('hex')}`,
      secretsKeys: [randomBytes(32)],
    };
    app = await startApp(shared);
    other = await startApp(shared);
    for (const { app: nest } of [app, other]) {
      const clock = nest.get(Clock);
      clock.now = () => new Date(Date.now() + aheadMs);
    }
    organizationId = (await app.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201)).body.data.id;
    user = await signedIn(app, organizationId, { methods: ['password', 'totp'] });
  });
  afterAll(async () => {
    await app?.close();
    await other?.close();
    await database?.drop();
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

  it('contains the user, the organization and the authentication methods', async () => {
    const token = await issue('https://app.example.com');
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: (await keySet())[0].kid, typ: 'at+jwt' });
    const payload = await verify(token, 'https://app.example.com');
    expect(payload).toEqual({
      client_id: app.config.baseUrl,
      iss: app.config.baseUrl,
      aud: 'https://app.example.com',
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
  });

  it('fails verification if the audience, the content or the key differs', async () => {
    const token = await issue('https://app.example.com');
    await expect(verify(token, 'https://other.example.com')).rejects.toThrow(/aud/);
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const forged = Buffer.from(payload, 'base64url').toString().replace(user.id, 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw');
    const changed = [header, Buffer.from(forged).toString('base64url'), signature].join('.');
    await expect(verify(changed, 'https://app.example.com')).rejects.toThrow(/signature/);
    const { privateKey } = await generateKeyPair('ES256');
    const own = new SignJWT({ sub: user.id }).setProtectedHeader({ alg: 'ES256', kid: (await keySet())[0].kid });
    await expect(verify(await own.sign(privateKey), 'https://app.example.com')).rejects.toThrow(/signature/);
  });

  it('is rejected as a credential for the API', async () => {
    const client = app.api.as(await issue());
    await client.get('/v1/auth/me').expect(401);
    await client.get(`/v1/organizations/${organizationId}`).expect(401);
    await app.api.platform.post('/v1/auth/token').expect(403);
    const ended = await signedIn(app, organizationId);
    await ended.client.post('/v1/auth/logout').expect(204);
    await ended.client.post('/v1/auth/token').expect(401);
  });

  it('is signed with a private key that is stored encrypted', async () => {
    const { headers, body } = await app.api.anonymous.get('/.well-known/jwks.json').expect(200);
    expect(headers.get('cache-control')).toBe('public, max-age=600');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    for (const key of body.keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    for (const row of await app.database.query('SELECT * FROM signing_keys')) {
      expect(row['private_jwk_sealed']).toMatch(/^v1\./);
      expect(JSON.stringify(row['public_jwk'])).not.toContain('"d"');
    }
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
          issue('https://app.example.com'),
          other.api.as(user.token).post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201),
        ]);
        for (const token of [first, second.body.data.accessToken as string]) {
          const { kid } = decodeProtectedHeader(token);
          signers.add(kid!);
          // The key was published before the service signed tokens with it.
          expect(before.map((key) => key.kid)).toContain(kid);
          expect((await verify(token, 'https://app.example.com', other)).sub).toBe(user.id);
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
