import { Injectable } from '@nestjs/common';
import {
  firstIdAt,
  InvalidCursor,
  isId,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
} from '#platform/common';
import { anyOf, BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { StoredHeaders } from '#webhooks/delivery';

/** Statuses of a delivery. `delivering` is a pending delivery that a worker has claimed. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Filters of a list of deliveries. A delivery must match all filters. */
export interface DeliveryCriteria {
  readonly status?: DeliveryStatus;
  readonly eventType?: string;
  /** Created at this time or later. */
  readonly since?: Date;
  /** Created before this time. */
  readonly until?: Date;
}

/** A delivery, without its attempts. */
const DELIVERY = row({
  tenantId: column.text(),
  id: column.text(),
  eventId: column.text(),
  eventType: column.text(),
  webhookId: column.text(),
  test: column.boolean(),
  sequence: column.nullable(column.digits()),
  status: column.text<DeliveryStatus>(),
  attemptCount: column.integer(),
  /** Number of attempts of earlier rounds. */
  attemptsBefore: column.integer(),
  nextAttemptAt: column.nullable(column.timestamp()),
  lastResponseCode: column.nullable(column.integer()),
  lastErrorKind: column.nullable(column.text()),
  createdAt: column.timestamp(),
  completedAt: column.nullable(column.timestamp()),
});
export type DeliveryRow = RowOf<typeof DELIVERY>;

/** One attempt of a delivery. */
const ATTEMPT = row({
  id: column.text(),
  number: column.integer(),
  startedAt: column.timestamp(),
  responseTimeMs: column.integer(),
  /** Both null if no request was made, and for attempts of earlier releases. */
  requestUrl: column.nullable(column.text()),
  requestHeaders: column.nullable(column.json<StoredHeaders>()),
  /** The format of the body. Null for the payload itself. */
  requestFormat: column.nullable(column.text()),
  responseCode: column.nullable(column.integer()),
  responseHeaders: column.nullable(column.json<Record<string, string>>()),
  responseBody: column.nullable(column.text()),
  errorKind: column.nullable(column.text()),
  errorMessage: column.nullable(column.text()),
  nextAttemptAt: column.nullable(column.timestamp()),
});
export type AttemptRow = RowOf<typeof ATTEMPT>;

/**
 * Maximum time between the time in the ID of a delivery and the insertion of its row, including the difference of clocks, in milliseconds.
 */
const CLOCKS_APART_MAX_MS = 3_600_000;

const COUNTS = row({ total: column.integer(), preceding: column.integer() });
const EVENT_PAYLOAD = row({ id: column.text(), payload: column.text() });
const PAYLOAD = row({ body: column.nullable(column.text()), redacted: column.boolean() });

interface WebhookKey {
  readonly tenantId: string;
  readonly id: string;
}

const COLUMNS = `tenant_id AS "tenantId", id, event_id AS "eventId", event_type AS "eventType", webhook_id AS "webhookId", test, sequence,
  CASE WHEN status = 'pending' AND lease_until > now() THEN 'delivering' ELSE status END AS status, attempt_count AS "attemptCount",
  attempts_before AS "attemptsBefore",
  next_attempt_at AS "nextAttemptAt", last_response_code AS "lastResponseCode", last_error_kind AS "lastErrorKind",
  created_at AS "createdAt", completed_at AS "completedAt"`;

/** Reads the deliveries of a webhook. */
@Injectable()
export class DeliveryHistoryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns a page of deliveries. @throws InvalidCursor */
  async list(
    ctx: RequestContext,
    webhook: WebhookKey,
    request: PageRequest,
    criteria: DeliveryCriteria = {},
  ): Promise<Page<DeliveryRow>> {
    if (request.after !== undefined && !isId('delivery', request.after)) throw new InvalidCursor('delivery');
    const { status, eventType, since, until } = criteria;
    const where = `WHERE tenant_id = $1 AND webhook_id = $2 AND ($4::text IS NULL OR event_type = $4) AND ${withinIds(since, until)}
      AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6) AND ${condition(status)}`;
    const parameters = [webhook.tenantId, webhook.id, request.after ?? null, eventType ?? null, since ?? null, until ?? null];
    const rows = await this.query(
      ctx,
      DELIVERY,
      `SELECT ${COLUMNS} FROM deliveries ${where} AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $7 OFFSET $8`,
      [...parameters, request.limit + 1, offsetOf(request)],
      { connection: 'replica' },
    );
    const [counts] = await this.query(
      ctx,
      COUNTS,
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE id >= $3)::int AS preceding FROM deliveries ${where}`,
      parameters,
      { connection: 'replica' },
    );
    return pageOf(request, rows, counts?.total ?? 0, request.after === undefined ? offsetOf(request) : (counts?.preceding ?? 0));
  }

  async find(
    ctx: RequestContext,
    webhook: WebhookKey,
    deliveryId: string,
  ): Promise<(DeliveryRow & { attempts: AttemptRow[] }) | null> {
    const [delivery] = await this.query(
      ctx,
      DELIVERY,
      `SELECT ${COLUMNS} FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3`,
      [webhook.tenantId, webhook.id, deliveryId],
    );
    if (!delivery) return null;
    const attempts = await this.query(
      ctx,
      ATTEMPT,
      `SELECT id, number, started_at AS "startedAt", response_time_ms AS "responseTimeMs", request_url AS "requestUrl",
         request_headers AS "requestHeaders", request_format AS "requestFormat", response_code AS "responseCode",
         response_headers AS "responseHeaders", response_body AS "responseBody", error_kind AS "errorKind", error_message AS "errorMessage",
         next_attempt_at AS "nextAttemptAt"
       FROM delivery_attempts WHERE tenant_id = $1 AND event_id = $2 AND delivery_id = $3 ORDER BY number`,
      [webhook.tenantId, delivery.eventId, deliveryId],
    );
    return { ...delivery, attempts };
  }

  /** Returns the current payloads of events by id, without events whose retention period is over. */
  async mapPayloads(ctx: RequestContext, tenantId: string, eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query(
      ctx,
      EVENT_PAYLOAD,
      `SELECT id, payload FROM events WHERE tenant_id = $1 AND id ${anyOf('$2')}`,
      [tenantId, [...new Set(eventIds)]],
      { connection: 'replica' },
    );
    return new Map(rows.map(({ id, payload }) => [id, payload]));
  }

  /** Returns the current payload of a delivery, or null if its event was deleted. */
  async payloadOf(
    ctx: RequestContext,
    { tenantId, eventId, id }: DeliveryRow,
  ): Promise<{ body: string; redacted: boolean } | null> {
    const [found] = await this.query(
      ctx,
      PAYLOAD,
      `SELECT COALESCE(d.test_payload, e.payload) AS body, e.redacted_at IS NOT NULL AS redacted
       FROM deliveries d LEFT JOIN events e ON e.tenant_id = $1 AND e.id = $2 WHERE d.tenant_id = $1 AND d.event_id = $2 AND d.id = $3`,
      [tenantId, eventId, id],
    );
    return found?.body == null ? null : { body: found.body, redacted: found.redacted };
  }
}

/**
 * Returns a condition on IDs that narrows the search. IDs are ordered by the clock of the process that created them, so `created_at`
 * decides.
 */
function withinIds(since: Date | undefined, until: Date | undefined): string {
  const shifted = (at: Date, byMs: number) => firstIdAt('delivery', new Date(at.getTime() + byMs));
  const bounds = [
    ...(since ? [`id >= '${shifted(since, -CLOCKS_APART_MAX_MS)}'`] : []),
    ...(until ? [`id < '${shifted(until, CLOCKS_APART_MAX_MS)}'`] : []),
  ];
  return bounds.length > 0 ? bounds.join(' AND ') : 'true';
}

function condition(status: DeliveryStatus | undefined): string {
  if (status === undefined) return 'true';
  if (status === 'delivering') return `status = 'pending' AND lease_until > now()`;
  return status === 'pending' ? `status = 'pending' AND (lease_until IS NULL OR lease_until <= now())` : `status = '${status}'`;
}
