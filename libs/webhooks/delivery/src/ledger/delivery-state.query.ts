import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, inTenants, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { DeliveryJob } from '../queue/index.js';
import type { StoredRequest } from '../signing/index.js';

/** A delivery that only this process can send until the lease ends. */
export interface ClaimedDelivery extends DeliveryJob {
  readonly leaseOwner: string;
  readonly eventType: string;
  readonly sequence: string | null;
  /** Number of attempts of earlier rounds. */
  readonly attemptsBefore: number;
  /** Whether the delivery has a time that the rate limit of its webhook booked. */
  readonly isBooked: boolean;
  /** Time until the delivery is due, in milliseconds. Negative if the delivery is late. */
  readonly dueInMs: number;
  /** The time of the claim by the database's clock, which all processes use, in milliseconds since 1970. */
  readonly claimedAtMs: number;
  /** The time of the claim on the monotonic clock of this process, in milliseconds. */
  readonly claimedAt: number;
}

/** The result of a claimed delivery. */
export interface DeliveryResult {
  readonly delivery: ClaimedDelivery;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped';
  /** For `pending`: the delay after the end of the attempt, in milliseconds. Absent if the delivery waits until its webhook is enabled. */
  readonly retryAfterMs?: number;
  /** Absent when nothing was sent. */
  readonly attempt?: AttemptResult;
  /** Why a `pending` delivery was not sent, shown as its last error. */
  readonly waitsFor?: 'secret_unreadable';
  /** Whether the schedule restarts with the next attempt. */
  readonly newRound?: boolean;
}

export interface AttemptResult {
  readonly id: string;
  readonly succeeded: boolean;
  /** Whether the destination says that it will never accept deliveries again. */
  readonly permanent: boolean;
  /** Whether the destination rejected this message for good. */
  readonly rejected: boolean;
  readonly durationMs: number;
  /** The end of the attempt, on the monotonic clock of this process, in milliseconds. */
  readonly endedAt: number;
  /** Absent when no request was made. */
  readonly request?: StoredRequest;
  readonly responseCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly errorKind?: string;
  readonly errorMessage?: string;
}

/** The recorded state of a delivery. */
export interface RecordedResult {
  /** Time until the next attempt is due, in milliseconds, or null if there is no next attempt. */
  readonly dueInMs: number | null;
}

/**
 * Time by which a delivery can be claimed before it is due, in milliseconds, because timers and clocks are not exact. The attempt waits
 * until the delivery is due.
 */
const EARLY_MS = 50;

/**
 * Hides a condition from the planner, so that the planner finds rows by their keys. With statistics from before a backlog, the planner
 * assumes that almost nothing is pending. It would then read the whole index of due deliveries, or compare every row with every job. (Citus
 * accepts no function of time in a `CASE`.)
 */
const opaque = (condition: string): string => `(${condition})::int > 0`;

const CLAIM = row({
  id: column.text(),
  event_type: column.text(),
  sequence: column.nullable(column.digits()),
  attempts_before: column.integer(),
  is_booked: column.boolean(),
  due_in_ms: column.float(),
  claimed_at_ms: column.float(),
});
const RECORDED = row({ id: column.text(), due_in_ms: column.nullable(column.float()) });

/** Claims deliveries and records their results, many in one statement. All times are from the database's clock. */
@Injectable()
export class DeliveryStateQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Claims the deliveries that are due and not claimed by another worker. Returns null for each other delivery. The time of the claim is the
   * arrival of the statement (Citus accepts no `clock_timestamp()` in an update). After a wait for a row lock, this time is in the past: fewer
   * deliveries are due, fewer leases have expired, and the new lease is shorter by the time of the wait.
   */
  async claim(
    ctx: RequestContext,
    jobs: readonly DeliveryJob[],
    leaseOwner: string,
    leaseMs: number,
  ): Promise<(ClaimedDelivery | null)[]> {
    const rows = await this.query(
      ctx,
      CLAIM,
      `UPDATE deliveries d SET lease_owner = $6, lease_until = statement_timestamp() + $7::float8 * interval '1 ms'
       FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[]) AS j (tenant_id, event_id, id, generation, attempt)
       WHERE d.tenant_id = j.tenant_id AND d.event_id = j.event_id AND d.id = j.id AND d.event_id = ANY ($2::text[])
         AND ${inTenants('d.tenant_id', '$8')}
         AND ${opaque(`d.status = 'pending' AND d.generation = j.generation AND d.attempt_count = j.attempt - 1
           AND d.next_attempt_at <= statement_timestamp() + ${EARLY_MS} * interval '1 ms'
           AND (d.lease_until IS NULL OR d.lease_until < statement_timestamp())`)}
       RETURNING d.id, d.event_type, d.sequence, d.attempts_before,
         COALESCE(d.slot_at = d.next_attempt_at, false) AS is_booked,
         extract(epoch FROM d.next_attempt_at - d.lease_until)::float8 * 1000 + $7 AS due_in_ms,
         extract(epoch FROM d.lease_until - timestamptz '1970-01-01 00:00:00Z')::float8 * 1000 - $7 AS claimed_at_ms`,
      [
        jobs.map(({ tenantId }) => tenantId),
        jobs.map(({ eventId }) => eventId),
        jobs.map(({ deliveryId }) => deliveryId),
        jobs.map(({ generation }) => generation),
        jobs.map(({ attempt }) => attempt),
        leaseOwner,
        leaseMs,
        [...new Set(jobs.map(({ tenantId }) => tenantId))],
      ],
    );
    const claimedAt = performance.now();
    const claimed = new Map(rows.map((row) => [row.id, row]));
    return jobs.map((job) => {
      const row = claimed.get(job.deliveryId);
      // A job that occurs twice in a batch is claimed once.
      if (!row || !claimed.delete(job.deliveryId)) return null;
      return {
        ...job,
        leaseOwner,
        eventType: row.event_type,
        sequence: row.sequence,
        attemptsBefore: row.attempts_before,
        isBooked: row.is_booked,
        dueInMs: row.due_in_ms,
        claimedAtMs: row.claimed_at_ms,
        claimedAt,
      };
    });
  }

  /**
   * Writes results, attempts, and the health and statistics of the webhooks in one statement. Returns null for a delivery whose lease was
   * lost. Webhooks are updated in the order of their ids, so that processes can't deadlock.
   */
  async record(ctx: RequestContext, results: readonly DeliveryResult[]): Promise<(RecordedResult | null)[]> {
    const nowMs = performance.now();
    const rows = await this.query(ctx, RECORDED, RECORD, [
      JSON.stringify(results.map((result) => recordRow(result, nowMs))),
      results.map(({ delivery }) => delivery.eventId),
      results.length,
      [...new Set(results.map(({ delivery }) => delivery.tenantId))],
    ]);
    const recorded = new Map(rows.map((row) => [row.id, row]));
    return results.map(({ delivery }) => {
      const row = recorded.get(delivery.deliveryId);
      return row ? { dueInMs: row.due_in_ms } : null;
    });
  }
}

function recordRow({ delivery, status, retryAfterMs, attempt, waitsFor, newRound }: DeliveryResult, nowMs: number): object {
  return {
    tenant_id: delivery.tenantId,
    event_id: delivery.eventId,
    id: delivery.deliveryId,
    webhook_id: delivery.webhookId,
    lease_owner: delivery.leaseOwner,
    generation: delivery.generation,
    number: delivery.attempt,
    status,
    retry_after_ms: retryAfterMs,
    new_round: newRound ?? false,
    attempt_id: attempt?.id,
    ended_ago_ms: attempt ? nowMs - attempt.endedAt : 0,
    duration_ms: attempt?.durationMs,
    succeeded: attempt?.succeeded,
    request_url: attempt?.request?.url,
    request_headers: attempt?.request?.headers,
    request_format: attempt?.request?.format,
    response_code: attempt?.responseCode,
    response_headers: attempt?.responseHeaders,
    response_body: attempt?.responseBody,
    error_kind: attempt?.errorKind ?? waitsFor,
    error_message: attempt?.errorMessage,
  };
}

const RECORD = `
WITH given AS (
  SELECT r.*, statement_timestamp() - r.ended_ago_ms * interval '1 ms' AS ended_at,
    statement_timestamp() + (r.retry_after_ms - r.ended_ago_ms) * interval '1 ms' AS due_at
  FROM jsonb_to_recordset($1::jsonb) AS r (tenant_id text, event_id text, id text, webhook_id text, lease_owner text, generation int,
    number int, status text, retry_after_ms float8, new_round boolean, attempt_id text, ended_ago_ms float8, duration_ms float8, succeeded boolean,
    request_url text, request_headers jsonb, request_format text, response_code int, response_headers jsonb, response_body text, error_kind text,
    error_message text)
  LIMIT $3 -- tells the planner how many there are: for the hundred that it assumes it would read whole partitions
), done AS (
  UPDATE deliveries d SET
    status = g.status,
    attempt_count = d.attempt_count + (g.attempt_id IS NOT NULL)::int,
    attempts_before = CASE WHEN g.new_round THEN d.attempt_count + 1 ELSE d.attempts_before END,
    next_attempt_at = g.due_at,
    lease_owner = NULL,
    lease_until = NULL,
    last_response_code = CASE WHEN g.attempt_id IS NULL THEN d.last_response_code ELSE g.response_code END,
    last_error_kind = CASE WHEN g.attempt_id IS NULL THEN COALESCE(g.error_kind, d.last_error_kind) ELSE g.error_kind END,
    completed_at = CASE WHEN g.status <> 'pending' THEN g.ended_at END
  FROM given g
  WHERE d.tenant_id = g.tenant_id AND d.event_id = g.event_id AND d.id = g.id AND d.event_id = ANY ($2::text[])
    AND ${inTenants('d.tenant_id', '$4')}
    AND ${opaque(`d.lease_owner = g.lease_owner AND d.status = 'pending'`)}
  RETURNING d.id, d.next_attempt_at
), attempted AS (
  SELECT g.*, done.next_attempt_at,
    max(CASE WHEN g.succeeded THEN g.ended_at END) OVER (PARTITION BY g.tenant_id, g.webhook_id) AS last_success_at
  FROM given g JOIN done ON done.id = g.id WHERE g.attempt_id IS NOT NULL
), attempts AS (
  INSERT INTO delivery_attempts (tenant_id, event_id, delivery_id, id, webhook_id, generation, number, started_at, response_time_ms,
    request_url, request_headers, request_format, response_code, response_headers, response_body, error_kind, error_message, next_attempt_at)
  SELECT tenant_id, event_id, id, attempt_id, webhook_id, generation, number, ended_at - duration_ms * interval '1 ms',
    round(duration_ms)::int, request_url, request_headers, request_format, response_code, response_headers, response_body, error_kind, error_message,
    next_attempt_at
  FROM attempted
), summed AS (
  SELECT tenant_id, webhook_id, count(*) FILTER (WHERE succeeded) AS succeeded, count(*) FILTER (WHERE NOT succeeded) AS failed,
    max(ended_at) AS last_at, max(last_success_at) AS last_success_at,
    count(*) FILTER (WHERE NOT succeeded AND (last_success_at IS NULL OR ended_at > last_success_at)) AS failed_since,
    min(ended_at) FILTER (WHERE NOT succeeded AND (last_success_at IS NULL OR ended_at > last_success_at)) AS failing_since
  FROM attempted GROUP BY tenant_id, webhook_id ORDER BY tenant_id, webhook_id
), health AS (
  INSERT INTO webhook_health AS h (tenant_id, webhook_id, consecutive_failures, failing_since, last_delivery_at, last_success_at)
  SELECT s.tenant_id, s.webhook_id, s.failed_since, s.failing_since, s.last_at, s.last_success_at
  FROM summed s LEFT JOIN webhook_health h ON h.tenant_id = s.tenant_id AND h.webhook_id = s.webhook_id
  WHERE s.failed > 0 OR h.consecutive_failures > 0 OR h.warned_at IS NOT NULL OR h.last_delivery_at + interval '1 s' < s.last_at
    OR h.last_delivery_at IS NULL
  ON CONFLICT (tenant_id, webhook_id) DO UPDATE SET
    consecutive_failures = EXCLUDED.consecutive_failures + CASE WHEN EXCLUDED.last_success_at IS NULL THEN h.consecutive_failures ELSE 0 END,
    failing_since = COALESCE(CASE WHEN EXCLUDED.last_success_at IS NULL THEN h.failing_since END, EXCLUDED.failing_since),
    warned_at = CASE WHEN EXCLUDED.last_success_at IS NULL THEN h.warned_at END,
    last_delivery_at = GREATEST(h.last_delivery_at, EXCLUDED.last_delivery_at),
    last_success_at = GREATEST(h.last_success_at, EXCLUDED.last_success_at)
), stats AS (
  INSERT INTO webhook_daily_stats AS s (tenant_id, webhook_id, day, succeeded, failed)
  SELECT tenant_id, webhook_id, (clock_timestamp() AT TIME ZONE 'UTC')::date, succeeded, failed FROM summed
  ON CONFLICT (tenant_id, webhook_id, day) DO UPDATE SET succeeded = s.succeeded + EXCLUDED.succeeded, failed = s.failed + EXCLUDED.failed
)
SELECT id, extract(epoch FROM next_attempt_at - clock_timestamp())::float8 * 1000 AS due_in_ms FROM done`;
