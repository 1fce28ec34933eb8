import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { numberedEvents } from '../support/event-log.js';
import { EventStreamClient } from '../support/event-stream.js';
import { made } from '../support/organizations.js';
import { quantile } from '../support/quantile.js';
import { testApp } from '../support/test-app.js';

const PATH = '/v1/organizations/acme';
const EVENTS = 7;
/** Without a notification, a stream reads new events every 2 s. */
const MEDIAN_LIMIT_MS = 500;

const app = testApp();
let client: EventStreamClient;

beforeAll(async () => {
  await made(app, '/v1/organizations', { name: 'Acme', slug: 'acme' });
  const { key } = await made(app, `${PATH}/api-keys`, { name: 'k', scopes: ['events:read'] });
  await numberedEvents(app);
  client = await EventStreamClient.open(`${app.url}${PATH}/events/stream`, key);
});
afterAll(() => client?.close());

it(`the event stream sends events within ${MEDIAN_LIMIT_MS} ms in median`, async () => {
  const delaysMs: number[] = [];
  for (let index = 0; index < EVENTS; index++) {
    await made(app, `${PATH}/roles`, { name: `role ${index}` });
    const createdAt = performance.now();
    await client.take(1);
    delaysMs.push(performance.now() - createdAt);
  }
  expect(quantile(delaysMs, 0.5)).toBeLessThan(MEDIAN_LIMIT_MS);
});
