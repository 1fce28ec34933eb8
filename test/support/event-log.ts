import type { TestApp } from './app.js';
import { eventually } from './eventually.js';

const LIMIT_MS = 20_000;

/** Waits until all existing events have a position. The event log returns only events with a position. */
export async function numberedEvents(app: Pick<TestApp, 'database'>): Promise<void> {
  const unnumbered = () => app.database.query('SELECT FROM events WHERE position IS NULL LIMIT 1');
  await eventually(async () => (await unnumbered()).length === 0, LIMIT_MS, 'all events have a position');
}
