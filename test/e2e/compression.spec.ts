import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { made } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

describe('the HTTP server', () => {
  const app = testApp();
  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    for (let count = 0; count < 20; count++) {
      const metadata = { note: 'a text that repeats itself '.repeat(20) };
      await made(app, '/v1/organizations/acme/users', { email: `person-${count}@example.com`, metadata });
    }
  });

  /** Sends a request without fetch, which would decompress the response. */
  async function get(path: string, encodings: string) {
    const headers = { authorization: `Bearer ${app.platformKey}`, 'accept-encoding': encodings };
    const { headers: answered, body } = await request(`${app.url}${path}`, { headers });
    return { encoding: answered['content-encoding'], vary: answered['vary'], body: Buffer.from(await body.arrayBuffer()) };
  }

  it.each([
    ['/v1/organizations/acme/users?limit=20', 'gzip', gunzipSync],
    ['/v1/organizations/acme/users?limit=20', 'gzip, br', brotliDecompressSync],
    ['/v1/organizations/acme/users/export?format=csv', 'gzip', gunzipSync],
    ['/openapi.json', 'br', brotliDecompressSync],
  ])('compresses %s if the client accepts %s', async (path, encodings, decompress) => {
    const plain = await get(path, 'identity');
    const compressed = await get(path, encodings);

    expect(plain.encoding).toBeUndefined();
    expect(compressed.encoding).toBe(encodings.split(', ').at(-1));
    expect(compressed.vary).toMatch(/accept-encoding/i);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 3);
    expect(decompress(compressed.body).equals(plain.body)).toBe(true);
  });

  it('does not compress small responses', async () => {
    expect((await get('/v1/organizations/acme', 'gzip, br')).encoding).toBeUndefined();
  });
});
