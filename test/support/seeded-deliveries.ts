import { createHash } from 'node:crypto';
import { firstIdAt } from '#platform/common';
import type { EventType } from '#platform/events';
import type { TestApp } from './app.js';
import { insertRows } from './insert-rows.js';

const HOUR_MS = 3_600_000;
const TYPES = ['user.login', 'user.created', 'user.updated', 'user.login_failed', 'role.assigned'] as const satisfies EventType[];
const SUCCESS = { response_code: 204, response_body: '', error_kind: null, error_message: null };
const FAILURES = [
  { response_code: 503, error_kind: 'status', error_message: 'The destination responded with status 503.' },
  { response_code: null, error_kind: 'timeout', error_message: 'The destination did not answer in time.' },
];

export interface SeededWebhook {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly webhookId: string;
  readonly url: string;
}

/** Past deliveries to a receiver. */
export interface DeliveryHistory {
  readonly count: number;
  readonly hours: number;
  /** The share of deliveries (0 to 1) whose first attempt failed. */
  readonly failing: number;
  /** The share of deliveries (0 to 1) that failed permanently. */
  readonly failed: number;
  readonly typicalMs: number;
}

/** Returns a pseudorandom number from 0 to 1. Equal parameters return equal numbers. */
function chance(...of: readonly (string | number)[]): number {
  return createHash('sha256').update(of.join('|')).digest().readUInt32BE() / 2 ** 32;
}

/** Inserts past deliveries with attempts. */
export async function seedDeliveries(app: TestApp, webhook: SeededWebhook, history: DeliveryHistory): Promise<void> {
  const now = Date.now();
  const hoursAgo = Array.from({ length: history.count }, (_, index) => chance('at', index) * history.hours);
  const rows = hoursAgo
    .sort((a, b) => b - a)
    .map((hours, index) => rowsOf(webhook, history, { atMs: now - hours * HOUR_MS, index }));
  await insertRows(app.database, {
    deliveries: rows.map(({ delivery }) => delivery),
    delivery_attempts: rows.flatMap(({ attempts }) => attempts),
  });
  await updateStatistics(app, webhook.webhookId, history.count);
}

function rowsOf(webhook: SeededWebhook, history: DeliveryHistory, { atMs, index }: { atMs: number; index: number }) {
  const suffix = String(index).padStart(6, '0');
  const luck = chance(webhook.webhookId, 'luck', index);
  const failures = luck < history.failed ? 6 : luck < history.failing ? 1 : 0;
  const ids = { tenant_id: webhook.tenantId, webhook_id: webhook.webhookId };
  const event_id = firstIdAt('event', new Date(atMs)).slice(0, -6) + suffix;
  const id = firstIdAt('delivery', new Date(atMs)).slice(0, -6) + suffix;
  const attempts = Array.from({ length: failures === 6 ? 6 : failures + 1 }, (_, before) => {
    const startedAt = new Date(Math.min(Date.now(), atMs + before * 60_000));
    return {
      ...ids,
      event_id,
      delivery_id: id,
      id: `${firstIdAt('attempt', startedAt).slice(0, -8)}${before}0${suffix}`,
      number: before + 1,
      started_at: startedAt,
      response_time_ms: Math.round(history.typicalMs * (0.5 + 3 * chance(webhook.webhookId, 'ms', index, before) ** 3)),
      response_headers: { 'content-type': 'text/plain', server: 'nginx' },
      request_url: webhook.url,
      ...(before < failures ? FAILURES[index % 2]! : SUCCESS),
    };
  });
  const { response_code: last_response_code, error_kind: last_error_kind, started_at: completed_at } = attempts.at(-1)!;
  const delivery = {
    ...ids,
    organization_id: webhook.organizationId,
    event_id,
    id,
    event_type: TYPES[index % TYPES.length],
    sequence: index + 1,
    status: failures === 6 ? 'failed' : 'succeeded',
    attempt_count: attempts.length,
    created_at: new Date(atMs),
    last_response_code,
    last_error_kind,
    completed_at,
  };
  return { delivery, attempts };
}

async function updateStatistics({ database }: TestApp, webhookId: string, count: number): Promise<void> {
  const ofWebhook = 'FROM delivery_attempts WHERE webhook_id = $1';
  await database.query(
    `INSERT INTO webhook_daily_stats (tenant_id, webhook_id, day, succeeded, failed)
     SELECT tenant_id, webhook_id, (started_at AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE error_kind IS NULL), count(*) FILTER (WHERE error_kind IS NOT NULL)
     ${ofWebhook} GROUP BY 1, 2, 3`,
    [webhookId],
  );
  const newest = `UPDATE webhook_health SET last_delivery_at = (SELECT max(started_at) ${ofWebhook}) WHERE webhook_id = $1`;
  await database.query(newest, [webhookId]);
  await database.query('UPDATE webhook_sequences SET last_sequence = $2 WHERE webhook_id = $1', [webhookId, count]);
}
