import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { testApp } from '../support/test-app.js';
import { findFreePort } from '../support/free-port.js';
import { later } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';

const VERIFIER = join(import.meta.dirname, '../../examples/verify-access-token.mjs');
const AUDIENCE = 'https://app.example.com';

describe('the access token example', () => {
  const app = testApp();
  let user: SignedIn;
  let organization: string;
  let verifier: ChildProcess;
  let url: string;

  beforeAll(async () => {
    organization = (await app.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201)).body.data.id;
    user = await signedIn(app, organization);
  });
  // Each test has a verifier that has not fetched any keys yet.
  beforeEach(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}/`;
    const settings = { IDENTITY_URL: app.url, ISSUER: app.config.baseUrl, AUDIENCE, VERIFIER_PORT: String(port) };
    verifier = spawn(process.execPath, [VERIFIER], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(verifier.stdout!, 'data');
  });
  afterEach(async () => {
    verifier.kill();
    await once(verifier, 'exit');
  });

  const tokenFor = async (audience: string): Promise<string> =>
    (await user.client.post('/v1/auth/token', { audience }).expect(201)).body.data.accessToken;
  const visit = async (token?: string): Promise<[number, string]> => {
    const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    return [response.status, await response.text()];
  };

  it('accepts only tokens for the configured audience', async () => {
    const token = await tokenFor(AUDIENCE);
    expect(await visit(token)).toEqual([200, `Hello ${user.id} of ${organization}\n`]);
    expect((await visit(await tokenFor('https://other.example.com')))[0]).toBe(401);
    expect((await visit(token.slice(0, -5)))[0]).toBe(401);
    expect((await visit(user.token))[0]).toBe(401);
    expect((await visit())[0]).toBe(401);
  });

  it('rejects a token without a valid signature', async () => {
    const genuine = await tokenFor(AUDIENCE);
    const claims = decodeJwt(genuine);
    const { kid } = decodeProtectedHeader(genuine);
    const { keys } = (await app.api.anonymous.get('/.well-known/jwks.json').expect(200)).body;
    const publicKey = new TextEncoder().encode(JSON.stringify(keys[0]));
    const own = await generateKeyPair('ES256');
    const signed = (header: object) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(own.privateKey);
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(publicKey),
      await signed({ kid }),
      await signed({ kid: 'own' }),
      await signed({ jwk: await exportJWK(own.publicKey) }),
      await signed({ kid, jku: new URL('/jwks.json', url).href, x5u: new URL('/key.pem', url).href }),
    ];
    for (const token of forged) expect([token, (await visit(token))[0]]).toEqual([token, 401]);
  });

  it('rejects an expired token and a forged token without a key id', async () => {
    const claims = decodeJwt(await tokenFor(AUDIENCE));
    // A token from six minutes ago, signed with a key of that time.
    expect((await visit(await later(app, -6 * 60_000, () => tokenFor(AUDIENCE))))[0]).toBe(401);
    expect((await app.api.anonymous.get('/.well-known/jwks.json').expect(200)).body.keys).toHaveLength(2);
    const { privateKey } = await generateKeyPair('ES256');
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
    expect((await visit(forged))[0]).toBe(401);
  });
});
