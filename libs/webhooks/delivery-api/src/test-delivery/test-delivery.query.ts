import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery } from '#platform/database';
import { DataSource } from 'typeorm';
import type { AttemptResult } from '#webhooks/delivery';

/** A finished test delivery. */
export interface TestDelivery {
  readonly tenantId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly id: string;
  readonly webhookId: string;
  readonly organizationId: string;
  readonly payload: string;
  readonly attempt: AttemptResult;
}

/** Stores test deliveries, each with its only attempt. Test deliveries have no sequence number and are not counted in statistics. */
@Injectable()
export class TestDeliveryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, { attempt, ...delivery }: TestDelivery): Promise<void> {
    const endedAgoMs = performance.now() - attempt.endedAt;
    await this.execute(
      ctx,
      `WITH delivery AS (
         INSERT INTO deliveries (tenant_id, event_id, event_type, id, webhook_id, organization_id, test, test_payload, status, attempt_count,
           last_response_code, last_error_kind, created_at, completed_at)
         VALUES ($1, $2, $3, $4, $5, $6, true, $7, $8, 1, $9, $10, now() - $11 * interval '1 ms', now())
       )
       INSERT INTO delivery_attempts (tenant_id, event_id, delivery_id, id, number, started_at, response_time_ms, response_code,
         response_headers, response_body, error_kind, error_message, request_url, request_headers, request_format)
       VALUES ($1, $2, $4, $12, 1, now() - $11 * interval '1 ms', $13, $9, $14, $15, $10, $16, $17, $18, $19)`,
      [
        delivery.tenantId,
        delivery.eventId,
        delivery.eventType,
        delivery.id,
        delivery.webhookId,
        delivery.organizationId,
        delivery.payload,
        attempt.succeeded ? 'succeeded' : 'failed',
        attempt.responseCode ?? null,
        attempt.errorKind ?? null,
        endedAgoMs + attempt.durationMs,
        attempt.id,
        Math.round(attempt.durationMs),
        attempt.responseHeaders ? JSON.stringify(attempt.responseHeaders) : null,
        attempt.responseBody ?? null,
        attempt.errorMessage ?? null,
        attempt.request?.url ?? null,
        attempt.request ? JSON.stringify(attempt.request.headers) : null,
        attempt.request?.format ?? null,
      ],
    );
  }
}
