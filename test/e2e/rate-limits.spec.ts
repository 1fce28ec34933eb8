import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { startRedis, testRedis } from '../support/redis.js';
import { connectScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const LIMIT = 5;

describe.each(['in process', 'in Redis'] as const)('the rate limit %s', (where) => {
  const redis = testRedis();
  const app = testServer(() => startApp({ rateLimit: LIMIT, redisUrls: where === 'in Redis' ? [redis.url] : [] }));
  const second = testServer(() => startApp({ ...app.config }));
  let path: string;
  beforeAll(async () => {
    path = at((await newOrganization(app)).id);
  });

  const newKey = async (): Promise<string> =>
    (await made(app, `${path}/api-keys`, { name: 'reader', scopes: ['organizations:read'] })).key;

  it('returns the number of remaining requests, or Retry-After above the limit', async () => {
    const client = app.api.as(await newKey());
    for (let remaining = LIMIT - 1; remaining >= 0; remaining--) {
      const response = await client.get(path).expect(200);
      expect(response.headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=60`);
      expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`));
    }
    const rejected = await client.get(path).expect(429);
    expect(rejected.body).toMatchObject({ code: 'rate_limited', status: 429 });
    const retryAfterSeconds = Number(rejected.headers.get('retry-after'));
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('limits a SCIM connection, with an error in the format of SCIM', async () => {
    const scim = await connectScim(app, path.split('/').at(-1)!);
    for (let count = 0; count < LIMIT; count++) await scim.get('/Users').expect(200);
    const rejected = await scim.get('/Users').expect(429);
    expect(rejected.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '429' });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('counts each API key separately', async () => {
    const clients = [app.api.as(await newKey()), app.api.as(await newKey())];
    for (const client of clients) await client.get(path).expect(200);
    for (let request = 0; request < LIMIT + 3; request++) {
      const response = await app.api.platform.get(path).expect(200);
      expect(response.headers.get('ratelimit')).toBeNull();
    }
  });

  it(`${where === 'in Redis' ? 'is shared by' : 'is separate in'} two instances`, async () => {
    const key = await newKey();
    for (let request = 0; request < LIMIT; request++) await app.api.as(key).get(path).expect(200);
    await second.api
      .as(key)
      .get(path)
      .expect(where === 'in Redis' ? 429 : 200);
  });
});

describe('a rate limit', () => {
  const app = testApp();

  it('applies in each process while Redis is unavailable', async () => {
    const redis = await startRedis();
    const instance = await startApp({ rateLimit: LIMIT, redisUrls: [redis.url] });
    try {
      const path = `/v1/organizations/${(await newOrganization(instance)).id}`;
      const { key } = await made(instance, `${path}/api-keys`, { name: 'reader', scopes: ['organizations:read'] });
      await redis.stop();
      for (let request = 0; request < LIMIT; request++) await instance.api.as(key).get(path).expect(200);
      await instance.api.as(key).get(path).expect(429);
    } finally {
      await instance.close();
    }
  });

  const organization = async (): Promise<string> => at((await newOrganization(app)).id);

  it('allows five resent invitations per user and hour', async () => {
    const users = `${await organization()}/users`;
    const resend = async (email: string) => {
      const path = `${users}/${(await made(app, users, { email })).id}/invitation`;
      return () => app.api.platform.post(path);
    };
    const [toAda, toBob] = [await resend('ada@example.com'), await resend('bob@example.com')];
    for (let count = 0; count < 5; count++) await toAda().expect(200);
    const rejected = await toAda().expect(429);
    expect(rejected.body.code).toBe('rate_limited');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await toBob().expect(200);
  });

  it('allows sixty tests per webhook and minute', async () => {
    const [path, other] = [await organization(), await organization()];
    const { id } = await made(app, `${path}/webhooks`, { url: 'https://127.0.0.1:9/', events: ['user.created'] });
    const test = (through: string) => app.api.platform.post(`${through}/webhooks/${id}/test`, { eventType: 'user.created' });
    // A request through another organization does not count.
    await test(other).expect(404);
    for (let count = 0; count < 60; count++) await test(path).expect(200);
    await test(path).expect(429);
  });
});
