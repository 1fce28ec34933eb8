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
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { KeptHeaders } from '../signing/index.js';

/** As shown: `delivering` is a pending delivery that a worker has in hand. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Which deliveries of a webhook are wanted; all that is given must hold. */
export interface DeliveryCriteria {
  readonly status?: DeliveryStatus;
  readonly eventType?: string;
  /** Made at this moment or later. */
  readonly since?: Date;
  /** Made before this moment. */
  readonly until?: Date;
}

/** A delivery, without its attempts. */
export interface DeliveryRow {
  tenantId: string;
  id: string;
  eventId: string;
  eventType: string;
  webhookId: string;
  test: boolean;
  sequence: string | null;
  status: DeliveryStatus;
  attemptCount: number;
  /** How many of them earlier rounds made. */
  attemptsBefore: number;
  nextAttemptAt: Date | null;
  lastResponseCode: number | null;
  lastErrorKind: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** One attempt of a delivery. */
export interface AttemptRow {
  id: string;
  number: number;
  startedAt: Date;
  responseTimeMs: number;
  /** Both null where no request could be made, and for attempts of earlier releases. */
  requestUrl: string | null;
  requestHeaders: KeptHeaders | null;
  responseCode: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  errorKind: string | null;
  errorMessage: string | null;
  nextAttemptAt: Date | null;
}

/** Clocks of processes and of the database are never further apart, and a delivery is written no later after it got its id. */
const CLOCKS_APART_MAX_MS = 3_600_000;

interface WebhookKey {
  readonly tenantId: string;
  readonly id: string;
}

const COLUMNS = `tenant_id AS "tenantId", id, event_id AS "eventId", event_type AS "eventType", webhook_id AS "webhookId", test, sequence,
  CASE WHEN status = 'pending' AND lease_until > now() THEN 'delivering' ELSE status END AS status, attempt_count AS "attemptCount",
  attempts_before AS "attemptsBefore",
  next_attempt_at AS "nextAttemptAt", last_response_code AS "lastResponseCode", last_error_kind AS "lastErrorKind",
  created_at AS "createdAt", completed_at AS "completedAt"`;

/** Shows what was sent to a webhook, or will be. */
@Injectable()
export class DeliveryHistoryRead extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** @throws InvalidCursor */
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
    const rows = await this.queryList<DeliveryRow>(
      ctx,
      `SELECT ${COLUMNS} FROM deliveries ${where} AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $7 OFFSET $8`,
      [...parameters, request.limit + 1, offsetOf(request)],
    );
    const [counts] = await this.queryList<{ total: number; preceding: number }>(
      ctx,
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE id >= $3)::int AS preceding FROM deliveries ${where}`,
      parameters,
    );
    return pageOf(request, rows, counts?.total ?? 0, request.after === undefined ? offsetOf(request) : (counts?.preceding ?? 0));
  }

  async find(
    ctx: RequestContext,
    webhook: WebhookKey,
    deliveryId: string,
  ): Promise<(DeliveryRow & { attempts: AttemptRow[] }) | null> {
    const [delivery] = await this.query<DeliveryRow>(
      ctx,
      `SELECT ${COLUMNS} FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3`,
      [webhook.tenantId, webhook.id, deliveryId],
    );
    if (!delivery) return null;
    const attempts = await this.query<AttemptRow>(
      ctx,
      `SELECT id, number, started_at AS "startedAt", response_time_ms AS "responseTimeMs", request_url AS "requestUrl",
         request_headers AS "requestHeaders", response_code AS "responseCode",
         response_headers AS "responseHeaders", response_body AS "responseBody", error_kind AS "errorKind", error_message AS "errorMessage",
         next_attempt_at AS "nextAttemptAt"
       FROM delivery_attempts WHERE tenant_id = $1 AND event_id = $2 AND delivery_id = $3 ORDER BY number`,
      [webhook.tenantId, delivery.eventId, deliveryId],
    );
    return { ...delivery, attempts };
  }

  /** What a delivery carries, as it is now; null once its event is gone. */
  async payloadOf(
    ctx: RequestContext,
    { tenantId, eventId, id }: DeliveryRow,
  ): Promise<{ body: string; redacted: boolean } | null> {
    const [row] = await this.query<{ body: string | null; redacted: boolean }>(
      ctx,
      `SELECT COALESCE(d.test_payload, e.payload) AS body, e.redacted_at IS NOT NULL AS redacted
       FROM deliveries d LEFT JOIN events e ON e.tenant_id = $1 AND e.id = $2 WHERE d.tenant_id = $1 AND d.event_id = $2 AND d.id = $3`,
      [tenantId, eventId, id],
    );
    return row?.body == null ? null : { body: row.body, redacted: row.redacted };
  }
}

/** Ids are ordered in time, by the clock of the process that made them: they narrow the search down, `created_at` decides. */
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
