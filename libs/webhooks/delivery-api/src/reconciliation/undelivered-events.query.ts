import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { coversEvent, EVENT_TYPES } from '#platform/events';
import type { WebhookDetails } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';

import { payloadMatches, TYPES_FOR_PARENT } from '#webhooks/delivery';

/** Events of a period: `since` is included, `until` is not. */
export interface EventRange {
  readonly since: Date;
  readonly until: Date;
}

/** Returns the bounds of the IDs of events in a range. */
export const idsOf = ({ since, until }: EventRange): [from: string, to: string] => [
  firstIdAt('event', since),
  firstIdAt('event', until),
];

/** An event that matches a webhook and has no delivery. */
const UNDELIVERED = row({
  id: column.text(),
  type: column.text(),
  /** Whether the event still waits for the relay. */
  waiting: column.boolean(),
  payload: column.text(),
});
export type UndeliveredEvent = Omit<RowOf<typeof UNDELIVERED>, 'payload'>;

const BATCH_SIZE = 500;

/**
 * Compares the event log with the deliveries. Excludes events before the last change of the webhook's subscription, and events whose
 * deliveries retention may have deleted.
 */
@Injectable()
export class UndeliveredEventsQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    super(dataSource);
  }

  /** Yields batches of undelivered events, newest first. */
  async *walk(ctx: RequestContext, webhook: WebhookDetails, range: EventRange): AsyncGenerator<UndeliveredEvent[]> {
    const retainedSince = new Date(Date.now() - this.config.retentionDeliveriesMs);
    const [from, to] = idsOf({ ...range, since: retainedSince > range.since ? retainedSince : range.since });
    const { filter } = webhook;
    for (let before: string | undefined = to; before !== undefined;) {
      const batch: RowOf<typeof UNDELIVERED>[] = await this.findBatch(ctx, webhook, from, before);
      const matching = filter ? batch.filter(({ payload }) => payloadMatches(filter, payload)) : batch;
      if (matching.length > 0) yield matching;
      before = batch.length === BATCH_SIZE ? batch.at(-1)?.id : undefined;
    }
  }

  private findBatch(
    ctx: RequestContext,
    webhook: WebhookDetails,
    from: string,
    before: string,
  ): Promise<RowOf<typeof UNDELIVERED>[]> {
    const types = EVENT_TYPES.filter((type) => webhook.events.some((subscription) => coversEvent(subscription, type)));
    return this.query(
      ctx,
      UNDELIVERED,
      `SELECT e.id, e.type, e.position IS NULL AS waiting, CASE WHEN w.filter IS NULL THEN '' ELSE e.payload END AS payload
       FROM webhooks w JOIN events e ON e.tenant_id = w.tenant_id AND e.seq > w.subscribed_seq
       WHERE w.tenant_id = $1 AND w.id = $2 AND e.id >= $3 AND e.id < $4 AND e.type = ANY ($5::text[])
         AND (e.organization_id = w.organization_id
           OR (w.include_descendants AND w.organization_id = ANY (e.ancestor_ids))
           OR (e.parent_organization_id = w.organization_id AND e.type = ANY ($6::text[])))
         AND NOT EXISTS (SELECT FROM deliveries d WHERE d.tenant_id = e.tenant_id AND d.event_id = e.id AND d.webhook_id = w.id)
       ORDER BY e.id DESC LIMIT ${BATCH_SIZE}`,
      [webhook.tenantId, webhook.id, from, before, types, [...TYPES_FOR_PARENT]],
    );
  }
}
