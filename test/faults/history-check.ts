import type { Pool } from 'pg';
import { isSigned } from '../support/signature.js';
import type { Observed } from './observed-receiver.js';
import type { Write } from './writers.js';

const SIGNED_WITHIN_SECONDS = 10;

/** The requests to the receivers in a run. The database contains the events and deliveries. */
export interface DeliveryHistory {
  tenantId: string;
  /** The webhooks by URL path. */
  webhooks: ReadonlyMap<string, { id: string; secret: string }>;
  signatureHeader: string;
  observed: readonly Observed[];
}

/** The requests to the receivers and the responses to the writers. */
export interface History extends DeliveryHistory {
  writes: readonly Write[];
}

export interface Verdict {
  /** One line for each violated guarantee. */
  violations: string[];
  events: number;
  attempts: number;
  /** The second and later successful requests for a webhook and event. */
  duplicates: Duplicate[];
  /** The number of successful deliveries, without duplicates. */
  deliveries: number;
}

export interface Duplicate {
  /** The time of the previous successful request, in milliseconds since 1970. */
  readonly previousAtMs: number;
  /** The attempts that the service recorded. */
  readonly attempts: string;
}

export interface SubscribedEvent {
  id: string;
  payload: string;
}

interface EventRow extends SubscribedEvent {
  position: string | null;
  effect: string | null;
}

/** Selects the events and the effect of each event, in the format of the writers' log. Each change has exactly one event. */
const EVENTS = `
SELECT id, position, payload, CASE
  WHEN type = 'organization.created' AND payload::jsonb #>> '{data,parentId}' IS NULL THEN NULL
  -- "*" does not include this event.
  WHEN type = 'webhook.created' THEN NULL
  ELSE type || ' ' || CASE type
    WHEN 'user.created' THEN payload::jsonb #>> '{data,email}'
    WHEN 'user.updated' THEN payload::jsonb #>> '{data,changes,firstName,to}'
    WHEN 'user.suspended' THEN payload::jsonb #>> '{data,id}'
    WHEN 'role.assigned' THEN payload::jsonb #>> '{data,user,id}'
    WHEN 'organization.created' THEN payload::jsonb #>> '{data,slug}'
    ELSE 'unexpected' END
  END AS effect
FROM events WHERE tenant_id = $1 ORDER BY position`;

/** Selects the effects from the changed rows, in the format of `EVENTS`. */
const CHANGES = `
SELECT 'user.created ' || email AS effect FROM users WHERE tenant_id = $1
UNION ALL SELECT 'user.updated ' || first_name FROM users WHERE tenant_id = $1 AND first_name IS NOT NULL
UNION ALL SELECT 'user.suspended ' || id FROM users WHERE tenant_id = $1 AND status = 'suspended'
UNION ALL SELECT 'role.assigned ' || user_id FROM role_assignments WHERE tenant_id = $1 AND role_id = 'role_viewer'
UNION ALL SELECT 'organization.created ' || slug FROM organizations WHERE tenant_id = $1 AND parent_id IS NOT NULL`;

/** Compares the four records of a run: the writers' log, the changed rows, the events and deliveries, and the received requests. */
export async function checkHistory(history: History, database: Pool): Promise<Verdict> {
  const events = (await database.query<EventRow>(EVENTS, [history.tenantId])).rows;
  const changes = (await database.query<{ effect: string }>(CHANGES, [history.tenantId])).rows.map(({ effect }) => effect);
  const effects = events.flatMap(({ effect }) => (effect === null ? [] : [effect]));
  const subscribed = events.filter(({ effect }) => effect !== null);
  const violations = [
    ...changesAgainstEvents(changes, effects),
    ...responsesAgainstEvents(history.writes, new Set(effects)),
    ...gaps(
      'position in the tenant',
      events.map(({ position }) => position),
    ),
    ...(await listDeliveryViolations(history, subscribed, database)),
  ];
  const lastSeenAt = new Map<string, number>();
  const repeated: { webhookId: string; eventId: string; previousAtMs: number }[] = [];
  for (const { path, eventId, answeredStatus, receivedAt } of history.observed) {
    if (answeredStatus !== 200) continue;
    const subject = `${path} ${eventId}`;
    const before = lastSeenAt.get(subject);
    if (before !== undefined) repeated.push({ webhookId: history.webhooks.get(path)!.id, eventId, previousAtMs: before });
    lastSeenAt.set(subject, receivedAt);
  }
  const eventIds = repeated.map(({ eventId }) => eventId);
  const attempts = (await database.query<AttemptsRow>(ATTEMPTS, [history.tenantId, eventIds])).rows;
  return {
    violations,
    events: subscribed.length,
    attempts: history.observed.length,
    duplicates: repeated.map(({ webhookId, eventId, previousAtMs }) => {
      const known = attempts.find((row) => row.event_id === eventId && row.webhook_id === webhookId);
      return { previousAtMs, attempts: known?.attempts ?? 'none' };
    }),
    deliveries: lastSeenAt.size,
  };
}

/** Returns a line for each change without an event, each event without a change, and each duplicate. */
function changesAgainstEvents(changes: string[], effects: string[]): string[] {
  return [
    ...difference(changes, effects).map((effect) => `the change "${effect}" has no event`),
    ...difference(effects, changes).map((effect) => `the event "${effect}" has no change`),
  ];
}

/** Checks that each webhook got each event, with the stored payload, a valid signature and sequence numbers without gaps. Returns the violations. */
export async function listDeliveryViolations(
  history: DeliveryHistory,
  events: readonly SubscribedEvent[],
  database: Pool,
): Promise<string[]> {
  const deliveries = (await database.query<DeliveryRow>(DELIVERIES, [history.tenantId])).rows;
  return [...deliveryViolations(history, events, deliveries), ...receivedViolations(history, events)];
}

/** Returns the entries of `list` without the entries of `other`. Repeated entries count separately. */
export function difference(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const item of other) left.set(item, (left.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  });
}

/** Returns a line for each successful change that is missing, and for each rejected change that exists. */
function responsesAgainstEvents(writes: readonly Write[], effects: ReadonlySet<string>): string[] {
  return writes.flatMap(({ effect, outcome }) => {
    if (outcome === 'done' && !effects.has(effect)) return [`"${effect}" got a success response and is lost`];
    if (outcome === 'rejected' && effects.has(effect)) return [`"${effect}" was rejected and happened`];
    return [];
  });
}

export function gaps(what: string, numbers: (string | null)[]): string[] {
  const sorted = numbers.map(Number).sort((one, other) => one - other);
  const wrong = sorted.findIndex((number, index) => number !== index + 1);
  return wrong === -1 ? [] : [`${what} ${wrong + 1} of ${sorted.length} is ${sorted[wrong]}`];
}

interface DeliveryRow {
  event_id: string;
  webhook_id: string;
  sequence: string;
  status: string;
  /** The status, attempts and times of the delivery as text for the message of a failed test. */
  state: string;
}

const DELIVERIES = `
SELECT event_id, webhook_id, sequence, status, concat_ws(' ', status, 'after', attempt_count, 'attempts, due', next_attempt_at,
  'leased until', lease_until, 'now', clock_timestamp()) AS state
FROM deliveries WHERE tenant_id = $1`;

interface AttemptsRow {
  event_id: string;
  webhook_id: string;
  attempts: string;
}

const ATTEMPTS = `
SELECT d.event_id, d.webhook_id, string_agg(concat_ws(' ', a.number, a.started_at, a.response_time_ms || ' ms',
  a.response_code, a.error_kind), '; ' ORDER BY a.number) AS attempts
FROM deliveries d JOIN delivery_attempts a ON a.tenant_id = d.tenant_id AND a.event_id = d.event_id AND a.delivery_id = d.id
WHERE d.tenant_id = $1 AND d.event_id = ANY($2) GROUP BY d.event_id, d.webhook_id`;

/** Checks that each event has one successful delivery to each webhook, and that sequence numbers have no gaps. Returns the violations. */
function deliveryViolations(
  { webhooks }: DeliveryHistory,
  events: readonly SubscribedEvent[],
  deliveries: readonly DeliveryRow[],
): string[] {
  return [...webhooks].flatMap(([path, { id }]) => {
    const own = deliveries.filter(({ webhook_id: webhookId }) => webhookId === id);
    const eventIds = events.map((event) => event.id);
    const deliveredIds = own.map(({ event_id: eventId }) => eventId);
    return [
      ...difference(eventIds, deliveredIds).map((eventId) => `${eventId} has no delivery to ${path}`),
      ...difference(deliveredIds, eventIds).map((eventId) => `${eventId} has an unexpected delivery to ${path}`),
      ...gaps(
        `sequence number of ${path}`,
        own.map(({ sequence }) => sequence),
      ),
      ...own.filter(({ status }) => status !== 'succeeded').map((row) => `${row.event_id} to ${path} is ${row.state}`),
    ];
  });
}

/**
 * Checks that each receiver accepted each event. All attempts of a delivery must have the stored payload, a valid signature and one sequence number.
 * Returns the violations.
 */
function receivedViolations(history: DeliveryHistory, events: readonly SubscribedEvent[]): string[] {
  const payloads = new Map(events.map(({ id, payload }) => [id, payload]));
  const arrived = new Set<string>();
  const sequences = new Map<string, string>();
  const violations: string[] = [];
  for (const request of history.observed) {
    const { path, eventId, answeredStatus, headers } = request;
    const subject = `${path} ${eventId}`;
    if (answeredStatus === 200) arrived.add(subject);
    if (request.body.toString('utf8') !== payloads.get(eventId)) violations.push(`${subject} has another body`);
    const signature = { header: history.signatureHeader, withinSeconds: SIGNED_WITHIN_SECONDS };
    if (!isSigned(request, history.webhooks.get(path)?.secret ?? '', signature))
      violations.push(`${subject} has an invalid signature`);
    const sequence = String(headers['webhook-sequence']);
    if ((sequences.get(subject) ?? sequence) !== sequence) violations.push(`${subject} changed its sequence number`);
    sequences.set(subject, sequence);
  }
  for (const path of history.webhooks.keys()) {
    for (const { id } of events) if (!arrived.has(`${path} ${id}`)) violations.push(`${path} ${id} was never accepted`);
    const own = [...sequences].filter(([subject]) => subject.startsWith(`${path} `)).map(([, sequence]) => sequence);
    violations.push(...gaps(`received sequence number of ${path}`, own));
  }
  return violations;
}
