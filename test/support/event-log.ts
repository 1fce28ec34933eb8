import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from './app.js';

const LIMIT_MS = 20_000;

/** Waits until all existing events have a position. The event log returns only events with a position. */
export async function numberedEvents(app: Pick<TestApp, 'database'>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while ((await app.database.query('SELECT FROM events WHERE position IS NULL LIMIT 1')).length > 0) {
    if (performance.now() > deadline) throw new Error(`There are events without a position after ${LIMIT_MS} ms.`);
    await sleep(20);
  }
}
