import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';

const PATH = '/v1/organizations/acme/api-keys';
/** Without a notification, an instance caches an API key for 800 ms. This limit is half of that time. */
const REJECTED_WITHIN_MS = 400;

let first: TestApp;
let second: TestApp;

beforeAll(async () => {
  first = await startApp();
  second = await startApp({ ...first.config });
  await first.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

it(`an instance rejects an API key within ${REJECTED_WITHIN_MS} ms after another instance revokes the key`, async () => {
  const { id, key } = (await first.api.platform.post(PATH, { name: 'x', scopes: ['api_keys:read'] }).expect(201)).body.data;
  await second.api.as(key).get(PATH).expect(200);
  await first.api.platform.delete(`${PATH}/${id}`).expect(204);
  const revokedAt = performance.now();
  let acceptedUntilMs = 0;
  while ((await second.api.as(key).get(PATH)).status === 200) acceptedUntilMs = performance.now() - revokedAt;
  expect(acceptedUntilMs).toBeLessThan(REJECTED_WITHIN_MS);
});
