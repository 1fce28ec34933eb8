import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { type DeliveryTestService, deliveryTestService, eventually } from '../support/delivery-app.js';
import { insertOrganizations } from '../support/insert-rows.js';
import { type Listener, listenHttps, listenTcp, selfSignedCertificate } from '../support/local-receiver.js';
import { quantile } from '../support/quantile.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const LONG = process.env['LONG'] === '1';
/** The number of webhooks. With only two deliveries per webhook, the concurrency limit of a failing destination has no effect. */
const WEBHOOKS = LONG ? 500 : 20;
const EVENTS = 2;
const DELIVERIES = WEBHOOKS * EVENTS;
/** The retry schedule. In the long run, a thousand TLS handshakes end before the next retries are due. */
const SCHEDULE_MS = LONG ? [8_000, 9_000, 10_000, 11_000, 12_000] : [1_000, 1_200, 1_400, 1_600, 1_800];
const ATTEMPTS = SCHEDULE_MS.length + 1;
const TIMEOUT_MS = LONG ? 10_000 : 1_000;
/** The timeout for a destination that never responds. The destination has 64 slots for a thousand concurrent deliveries. */
const SHORT_TIMEOUT_MS = LONG ? 50 : TIMEOUT_MS;
const LATE_MS = 2_000;
const LIMIT_MS = 300_000;

/** A stored attempt and its distance from the previous attempt. */
interface StoredAttempt {
  readonly number: number;
  readonly kind: string;
  /** The time from the due time to the start of the attempt, in milliseconds. */
  readonly lateMs: number | null;
  /** The time from the end of the previous attempt to the start of this attempt, in milliseconds. */
  readonly pauseMs: number | null;
}

const deliveryTest = deliveryTestService();
const ends: (() => Promise<unknown>)[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
  const http = async (...behavior: Parameters<typeof startReceiver>): Promise<string> => {
    const receiver: Receiver = await startReceiver(...behavior);
    ends.push(() => receiver.stop());
    return receiver.url;
  };
  const listening = (listener: Listener, scheme: string): string => {
    ends.push(() => listener.close());
    return `${scheme}://127.0.0.1:${listener.port}/`;
  };
  urls['302'] = await http(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }));
  urls['404'] = await http(() => ({ status: 404 }));
  urls['500'] = await http(() => ({ status: 500 }));
  urls['timeout'] = await http(() => ({ delayMs: 60_000 }));
  urls['reset'] = listening(await listenTcp((socket) => socket.once('data', () => socket.resetAndDestroy())), 'http');
  urls['tls'] = listening(await listenHttps(selfSignedCertificate('localhost'), (_, response) => response.end()), 'https');
  // The DNS label is too long (RFC 1035, section 2.3.4). The lookup fails without a DNS server.
  urls['dns'] = `https://${'x'.repeat(64)}.invalid/`;
}, LIMIT_MS);
afterAll(async () => {
  for (const end of ends) await end();
});

describe('a failing delivery', () => {
  it(
    `is attempted ${ATTEMPTS} times on schedule`,
    async () => {
      const outcomes = Object.keys(urls);
      // The long run tests the outcomes sequentially. Concurrent outcomes would overload the machine.
      const rounds = LONG ? outcomes.map((outcome) => [outcome]) : [outcomes];
      let done = 0;
      for (const round of rounds) {
        const webhookTimeoutMs = round.includes('timeout') ? SHORT_TIMEOUT_MS : TIMEOUT_MS;
        const app = await deliveryTest.start({ webhookRetryScheduleMs: SCHEDULE_MS, webhookTimeoutMs, databasePoolSize: 12 });
        const organizations = await Promise.all(Array.from({ length: WEBHOOKS }, () => withWebhooks(app, round)));
        await Promise.all(organizations.map((organization) => deliveryTest.publish(app, EVENTS, 'user.created', organization)));
        done += DELIVERIES * round.length;
        await eventually(async () => (await deliveryTest.statuses())['failed'] === done, LIMIT_MS, 'all deliveries have failed');
        await deliveryTest.stop();
        for (const outcome of round) expectSchedule(outcome, await attempts(outcome));
      }
      expect(await deliveryTest.statuses()).toEqual({ failed: done });
    },
    LIMIT_MS * 3,
  );
});

/** Creates an organization of the tenant with a webhook for each outcome. */
async function withWebhooks(app: Awaited<ReturnType<DeliveryTestService['start']>>, outcomes: readonly string[]) {
  const id = newId('organization');
  const organization = { ...deliveryTest.organization, id, slug: id.slice(-20), ancestorIds: [deliveryTest.organization.id] };
  await insertOrganizations(deliveryTest.sql, organization);
  for (const outcome of outcomes)
    await deliveryTest.createWebhook(app, { name: outcome, url: urls[outcome]!, events: ['user.created'] }, organization);
  return organization;
}

/** Returns all attempts of the webhooks with this outcome. */
const attempts = (outcome: string): Promise<StoredAttempt[]> =>
  deliveryTest.rows<StoredAttempt>(
    `SELECT a.number, COALESCE(a.response_code::text, a.error_kind) AS kind,
       (extract(epoch FROM a.started_at - lag(a.next_attempt_at) OVER attempts) * 1000)::float8 AS "lateMs",
       (extract(epoch FROM a.started_at - lag(a.started_at + a.response_time_ms * interval '1 ms') OVER attempts) * 1000)::float8 AS "pauseMs"
     FROM delivery_attempts a JOIN deliveries d ON d.tenant_id = a.tenant_id AND d.event_id = a.event_id AND d.id = a.delivery_id
     JOIN webhooks w ON w.tenant_id = d.tenant_id AND w.id = d.webhook_id AND w.name = $1
     WINDOW attempts AS (PARTITION BY a.delivery_id ORDER BY a.number)`,
    [outcome],
  );

function expectSchedule(outcome: string, storedAttempts: readonly StoredAttempt[]): void {
  const numbers = Array.from({ length: ATTEMPTS }, (_, index) => index + 1);
  expect(numbers.map((number) => storedAttempts.filter((attempt) => attempt.number === number).length)).toEqual(
    numbers.map(() => DELIVERIES),
  );
  expect(storedAttempts.length).toBe(DELIVERIES * ATTEMPTS);
  // On a busy machine a response can exceed the timeout.
  const timeouts = storedAttempts.filter(({ kind }) => kind !== outcome);
  expect(timeouts.filter(({ kind }) => kind !== 'timeout')).toEqual([]);
  expect(timeouts.length).toBeLessThanOrEqual(storedAttempts.length / 100);
  const retries = storedAttempts.filter(({ number }) => number > 1);
  const late = retries.map(({ lateMs }) => lateMs!);
  // The stored response time can be rounded up to whole milliseconds.
  const early = retries.filter(({ lateMs, pauseMs, number }) => lateMs! < 0 || pauseMs! < SCHEDULE_MS[number - 2]! - 1);
  process.stdout.write(
    `${outcome}: ${DELIVERIES} deliveries, ${storedAttempts.length} attempts, ${early.length} early, ` +
      `late p50 ${quantile(late, 0.5).toFixed(0)} ms, p99 ${quantile(late, 0.99).toFixed(0)} ms, max ${Math.max(...late).toFixed(0)} ms\n`,
  );
  expect(early).toEqual([]);
  expect(quantile(late, 0.99)).toBeLessThanOrEqual(LATE_MS);
}
