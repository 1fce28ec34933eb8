import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SqlRepository } from '#platform/database';
import { coversEvent, EVENT_TYPES } from '#platform/events';
import type { WebhookDetails } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';
import { payloadMeets } from '../relay/payload-match.js';
import { ALSO_FOR_PARENT } from '../relay/webhook-matching.js';

/** Events between two moments: from the first on, and before the second. */
export interface EventRange {
  readonly since: Date;
  readonly until: Date;
}

/** The ids between which the events of a range lie. */
export const idsOf = ({ since, until }: EventRange): [from: string, to: string] => [
  firstIdAt('event', since),
  firstIdAt('event', until),
];

/** An event that a webhook subscribes to and has no delivery of. */
export interface UndeliveredEvent {
  readonly id: string;
  readonly type: string;
  /** Not relayed yet, so that its delivery is still to be written. */
  readonly waiting: boolean;
}

const BATCH = 500;

/**
 * Holds the event log itself against the deliveries. Only events since the webhook's subscription last changed can be judged, and none
 * of which deliveries may have gone by retention.
 */
@Injectable()
export class UndeliveredEventsRead extends SqlRepository {
  constructor(
    dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    super(dataSource);
  }

  /** Batches of them, newest first. */
  async *walk(ctx: RequestContext, webhook: WebhookDetails, range: EventRange): AsyncGenerator<UndeliveredEvent[]> {
    const keptSince = new Date(Date.now() - this.config.retentionDeliveriesMs);
    const [from, to] = idsOf({ ...range, since: keptSince > range.since ? keptSince : range.since });
    const { filter } = webhook;
    for (let before: string | undefined = to; before !== undefined;) {
      const batch: (UndeliveredEvent & { payload: string })[] = await this.batch(ctx, webhook, from, before);
      const meant = filter ? batch.filter(({ payload }) => payloadMeets(filter, payload)) : batch;
      if (meant.length > 0) yield meant;
      before = batch.length === BATCH ? batch.at(-1)!.id : undefined;
    }
  }

  private batch(
    ctx: RequestContext,
    webhook: WebhookDetails,
    from: string,
    before: string,
  ): Promise<(UndeliveredEvent & { payload: string })[]> {
    const types = EVENT_TYPES.filter((type) => webhook.events.some((subscription) => coversEvent(subscription, type)));
    return this.query(
      ctx,
      `SELECT e.id, e.type, e.position IS NULL AS waiting, CASE WHEN w.filter IS NULL THEN '' ELSE e.payload END AS payload
       FROM webhooks w JOIN events e ON e.tenant_id = w.tenant_id AND e.seq > w.subscribed_seq
       WHERE w.tenant_id = $1 AND w.id = $2 AND e.id >= $3 AND e.id < $4 AND e.type = ANY ($5::text[])
         AND (e.organization_id = w.organization_id
           OR (w.include_descendants AND w.organization_id = ANY (e.ancestor_ids))
           OR (e.parent_organization_id = w.organization_id AND e.type = ANY ($6::text[])))
         AND NOT EXISTS (SELECT FROM deliveries d WHERE d.tenant_id = e.tenant_id AND d.event_id = e.id AND d.webhook_id = w.id)
       ORDER BY e.id DESC LIMIT ${BATCH}`,
      [webhook.tenantId, webhook.id, from, before, types, [...ALSO_FOR_PARENT]],
    );
  }
}
