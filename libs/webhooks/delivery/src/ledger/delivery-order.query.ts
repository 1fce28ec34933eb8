import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { DeliveryJob } from '../queue/index.js';

/** A delivery with its place in the order of its receiver. */
interface OrderedDelivery extends Pick<DeliveryJob, 'tenantId' | 'webhookId'> {
  readonly sequence: string | null;
}

const EARLIER = row({ id: column.text() });
const RELEASED = row({
  event_id: column.text(),
  id: column.text(),
  generation: column.integer(),
  attempt_count: column.integer(),
});

/** The condition of `deliveries_ordered_idx`, which has the pending deliveries of receivers that are no webhooks. */
const ORDERED = `status = 'pending' AND webhook_id < 'wh_'`;

/** Keeps the order of deliveries to a receiver: only its oldest pending delivery is sent. */
@Injectable()
export class DeliveryOrderQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns whether no earlier delivery to the receiver is pending. */
  async isFirst(ctx: RequestContext, { tenantId, webhookId, sequence }: OrderedDelivery): Promise<boolean> {
    const earlier = await this.query(
      ctx,
      EARLIER,
      `SELECT id FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND ${ORDERED} AND sequence < $3::bigint LIMIT 1`,
      [tenantId, webhookId, sequence],
      { prepared: true },
    );
    return earlier.length === 0;
  }

  /** Makes the oldest pending delivery to a receiver due, if it waits without a time. Returns its next attempt. */
  async releaseFirst(ctx: RequestContext, tenantId: string, webhookId: string): Promise<DeliveryJob | undefined> {
    const [released] = await this.query(
      ctx,
      RELEASED,
      `UPDATE deliveries d SET next_attempt_at = now() FROM (
         SELECT event_id, id, next_attempt_at FROM deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND ${ORDERED} ORDER BY sequence LIMIT 1
       ) first
       WHERE d.tenant_id = $1 AND d.event_id = first.event_id AND d.id = first.id AND first.next_attempt_at IS NULL
         AND d.status = 'pending' AND d.next_attempt_at IS NULL
       RETURNING d.event_id, d.id, d.generation, d.attempt_count`,
      [tenantId, webhookId],
      { prepared: true },
    );
    if (!released) return undefined;
    const { event_id: eventId, id: deliveryId, generation, attempt_count: attemptCount } = released;
    return { tenantId, eventId, deliveryId, webhookId, generation, attempt: attemptCount + 1 };
  }
}
