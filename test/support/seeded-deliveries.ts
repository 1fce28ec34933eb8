import { createHash } from 'node:crypto';
import { firstIdAt } from '#platform/common';
import type { EventType } from '#platform/events';
import type { TestApp } from './app.js';

const HOUR_MS = 3_600_000;
const TYPES = ['user.login', 'user.created', 'user.updated', 'user.login_failed', 'role.assigned'] as const satisfies EventType[];
const RESPONSES = [
  {
    code: 503,
    body: 'upstream connect error or disconnect/reset before headers',
    kind: 'status',
    message: 'The destination responded with status 503.',
  },
  {
    code: 500,
    body: '{"error":"internal","trace":"9f1c"}',
    kind: 'status',
    message: 'The destination responded with status 500.',
  },
  { code: null, body: null, kind: 'timeout', message: 'The destination did not answer in time.' },
] as const;

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

/** Inserts past deliveries with attempts. Nights have fewer deliveries than days. */
export async function seedDeliveries(app: TestApp, webhook: SeededWebhook, history: DeliveryHistory): Promise<void> {
  const now = Date.now();
  const rows = timesOf(webhook, history, now).map((createdMs, index) => rowsOf(webhook, history, { createdMs, now, index }));
  await insert(
    app,
    'deliveries',
    'tenant_id, event_id, id, webhook_id, organization_id, event_type, sequence, status, attempt_count, last_response_code, last_error_kind, created_at, completed_at',
    rows.map(({ delivery }) => delivery),
  );
  await insert(
    app,
    'delivery_attempts',
    'tenant_id, event_id, delivery_id, id, webhook_id, number, started_at, response_time_ms, response_code, response_headers, response_body, error_kind, error_message, request_url',
    rows.flatMap(({ attempts }) => attempts),
  );
  await updateStatistics(app, webhook.webhookId, history.count);
}

/** Returns the creation times of the deliveries, in milliseconds since 1970, oldest first. */
function timesOf({ webhookId }: SeededWebhook, { count, hours }: DeliveryHistory, now: number): number[] {
  const hoursAgo = Array.from({ length: count }, (_, index) => {
    const at = (chance(webhookId, 'at', index) * 0.995 + 0.004) * hours;
    // Nights have few deliveries.
    const hourOfDay = new Date(now - at * HOUR_MS).getUTCHours();
    return hourOfDay < 6 && index % 4 !== 0 ? (at + 8) % hours : at;
  });
  return hoursAgo.sort((a, b) => b - a).map((at) => now - at * HOUR_MS);
}

interface Position {
  readonly createdMs: number;
  readonly now: number;
  readonly index: number;
}

function rowsOf(webhook: SeededWebhook, history: DeliveryHistory, position: Position) {
  const { tenantId, organizationId, webhookId } = webhook;
  const { createdMs, index } = position;
  const idAt = (kind: 'event' | 'delivery') => firstIdAt(kind, new Date(createdMs)).slice(0, -6) + suffixOf(index);
  const [eventId, deliveryId] = [idAt('event'), idAt('delivery')];
  const type = TYPES[Math.floor(chance(webhookId, 'type', index) * TYPES.length)]!;
  const luck = chance(webhookId, 'luck', index);
  const hasFailed = luck < history.failed;
  const failures = hasFailed ? 6 : luck < history.failing ? 1 + (index % 2) : 0;
  const total = hasFailed ? 6 : failures + 1;
  const attempts = Array.from({ length: total }, (_, before) => {
    const attempt = attemptOf(webhook, history, { ...position, number: before + 1, failures });
    return [tenantId, eventId, deliveryId, ...attempt];
  });
  const last = attempts.at(-1)!;
  const status = hasFailed ? 'failed' : 'succeeded';
  const outcome = [status, total, last[8], last[11], new Date(createdMs), last[6]];
  return { delivery: [tenantId, eventId, deliveryId, webhookId, organizationId, type, index + 1, ...outcome], attempts };
}

function attemptOf(
  { webhookId, url }: SeededWebhook,
  { typicalMs }: DeliveryHistory,
  { createdMs, now, index, number, failures }: Position & { number: number; failures: number },
): unknown[] {
  const hasFailed = number <= failures;
  const response = hasFailed ? RESPONSES[index % 9 === 0 ? 2 : index % 2]! : { code: 204, body: '', kind: null, message: null };
  const durationMs =
    response.kind === 'timeout' ? 15_000 : Math.round(typicalMs * (0.5 + 3 * chance(webhookId, 'ms', index, number) ** 3));
  const startedMs = Math.min(now, createdMs + (number === 1 ? 40 : 60_000 * 5 ** (number - 2)));
  const headers = response.code === null ? null : { 'content-type': 'text/plain', server: 'nginx' };
  const id = `${firstIdAt('attempt', new Date(startedMs)).slice(0, -8)}${number}0${suffixOf(index)}`;
  const started = new Date(startedMs);
  return [
    id,
    webhookId,
    number,
    started,
    durationMs,
    response.code,
    headers,
    response.body,
    response.kind,
    response.message,
    url,
  ];
}

const suffixOf = (index: number): string => String(index).padStart(6, '0');

async function updateStatistics(app: TestApp, webhookId: string, count: number): Promise<void> {
  await app.database.query(
    `INSERT INTO webhook_daily_stats (tenant_id, webhook_id, day, succeeded, failed)
     SELECT tenant_id, webhook_id, (started_at AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE error_kind IS NULL), count(*) FILTER (WHERE error_kind IS NOT NULL)
     FROM delivery_attempts WHERE webhook_id = $1 GROUP BY 1, 2, 3`,
    [webhookId],
  );
  await app.database.query(
    'UPDATE webhook_health SET last_delivery_at = (SELECT max(started_at) FROM delivery_attempts WHERE webhook_id = $1) WHERE webhook_id = $1',
    [webhookId],
  );
  await app.database.query('UPDATE webhook_sequences SET last_sequence = $2 WHERE webhook_id = $1', [webhookId, count]);
}

async function insert(app: TestApp, table: string, columns: string, rows: readonly unknown[][]): Promise<void> {
  const width = columns.split(',').length;
  for (let from = 0; from < rows.length; from += 500) {
    const batch = rows.slice(from, from + 500);
    const placeholders = batch.map(
      (_, row) => `(${Array.from({ length: width }, (_each, column) => `$${row * width + column + 1}`).join(', ')})`,
    );
    await app.database.query(`INSERT INTO ${table} (${columns}) VALUES ${placeholders.join(', ')}`, batch.flat());
  }
}
