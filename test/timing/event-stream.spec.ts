import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import { EventStreamClient } from '../support/event-stream.js';
import { made } from '../support/organizations.js';
import { quantile } from '../support/quantile.js';

const PATH = '/v1/organizations/acme';
const EVENTS = 7;
/** Without a notification, a stream reads new events every 2 s. */
const MEDIAN_LIMIT_MS = 500;
const REVOKED_LIMIT_MS = 8_000;

let app: TestApp;
let key: { id: string; key: string };
let client: EventStreamClient;

beforeAll(async () => {
  app = await startApp();
  await made(app, '/v1/organizations', { name: 'Acme', slug: 'acme' });
  key = await made(app, `${PATH}/api-keys`, { name: 'k', scopes: ['events:read'] });
  await numberedEvents(app);
  client = await EventStreamClient.open(`${app.url}${PATH}/events/stream`, key.key);
});
afterAll(async () => {
  client?.close();
  await app.close();
});

it(`the event stream sends events within ${MEDIAN_LIMIT_MS} ms in median`, async () => {
  const delaysMs: number[] = [];
  for (let index = 0; index < EVENTS; index++) {
    await made(app, `${PATH}/roles`, { name: `role ${index}` });
    const createdAt = performance.now();
    await client.take(1);
    delaysMs.push(performance.now() - createdAt);
  }
  expect(quantile(delaysMs, 0.5)).toBeLessThan(MEDIAN_LIMIT_MS);

  await app.api.platform.delete(`${PATH}/api-keys/${key.id}`).expect(204);
  const revokedAt = performance.now();
  while (await client.next());
  expect(performance.now() - revokedAt).toBeLessThan(REVOKED_LIMIT_MS);
});
