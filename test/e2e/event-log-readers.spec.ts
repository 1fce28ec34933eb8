import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { DomainEventBus, EVENTS } from '#platform/events';
import { startApp, type TestApp } from '../support/app.js';
import { EventStreamClient } from '../support/event-stream.js';
import type { TestBody } from '../support/http-client.js';
import { newOrganization, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const EVENTS_TOTAL = sized(1_000, 2_000, 100_000);
const WRITERS = 64;
/** The streaming reader closes its connection after this number of events. */
const EVENTS_PER_CONNECTION = Math.floor(EVENTS_TOTAL / 40);
const LIMIT_MS = 30_000 + EVENTS_TOTAL * 30;

/**
 * Writers publish through the bus in this process, each event in its own transaction. Every tenth event is first published in a
 * transaction that is rolled back. Some transactions commit late, so the commit order differs from the insertion order. Readers are
 * HTTP clients.
 */
describe('the event log', () => {
  const app = testApp();
  let writing: TestApp;
  let acme: string;

  beforeAll(async () => {
    writing = await startApp({ ...app.config, databasePoolSize: WRITERS, role: 'api' });
    acme = (await newOrganization(app, { slug: 'acme' })).id;
  });
  afterAll(() => writing.close());

  async function write(): Promise<void> {
    const [bus, transactions] = [writing.app.get(DomainEventBus), writing.app.get(TransactionRunner)];
    const organization = { id: acme, tenantId: acme, name: 'Acme', ancestorIds: [] };
    let left = EVENTS_TOTAL;
    const writer = async () => {
      for (let number = left--; number > 0; number = left--) {
        const publish = (fails: boolean) =>
          transactions.run(systemContext(newId('request')), async (ctx) => {
            await bus.publish(ctx, 'role.created', organization, { ...EVENTS['role.created'].example, name: String(number) });
            if (number % 50 === 0) await sleep(Math.random() * 40);
            if (fails) throw new Error('rolled back');
          });
        if (number % 10 === 0) await expect(publish(true)).rejects.toThrow('rolled back');
        await publish(false);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  async function readByPolling(): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < EVENTS_TOTAL) {
      const after = ids.length === 0 ? '' : `&after=${ids.at(-1)}`;
      const path = `/v1/organizations/acme/events?type=role.created&sort=position&limit=100${after}`;
      const data: TestBody[] = await read(app, path);
      ids.push(...data.map(({ id }) => id));
      if (data.length < 100) await sleep(10);
    }
    return ids;
  }

  async function readFromStream(): Promise<{ ids: string[]; connections: number }> {
    const url = `${app.url}/v1/organizations/acme/events/stream?type=role.created&since=2020-01-01T00:00:00Z`;
    const ids: string[] = [];
    let connections = 0;
    let lastEventId: string | undefined;
    while (ids.length < EVENTS_TOTAL) {
      connections++;
      const client = await EventStreamClient.open(url, app.platformKey, lastEventId);
      for (let taken = 0; taken < EVENTS_PER_CONNECTION && ids.length < EVENTS_TOTAL; taken++) {
        const next = await client.next();
        if (!next) break;
        ids.push(next.event.id);
        ({ lastEventId } = next);
      }
      client.close();
    }
    return { ids, connections };
  }

  it(
    'returns all events in one order to every reader during concurrent writes',
    async () => {
      const at = performance.now();
      const written = write().then(() => performance.now() - at);
      const [polled, { ids: followed, connections }, writingMs] = await Promise.all([readByPolling(), readFromStream(), written]);
      process.stdout.write(
        `${EVENTS_TOTAL} events: written in ${Math.round(writingMs)} ms, read in ${Math.round(performance.now() - at)} ms, ${connections} connections\n`,
      );
      const rows = await app.database.query<{ id: string }>(
        `SELECT id FROM events WHERE type = 'role.created' ORDER BY position`,
      );
      expect(rows).toHaveLength(EVENTS_TOTAL);
      const expected = rows.map(({ id }) => id);
      // Jest takes minutes to print a difference in 100,000 lines, so the test compares text.
      expect(polled.join() === expected.join()).toBe(true);
      expect(followed.join() === expected.join()).toBe(true);
      expect(connections).toBeGreaterThanOrEqual(40);
      const [late] = await app.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM (SELECT seq < max(seq) OVER (ORDER BY position) AS late FROM events) e WHERE late`,
      );
      process.stdout.write(`${late!.count} events were numbered after a later one had been\n`);
    },
    LIMIT_MS,
  );
});
