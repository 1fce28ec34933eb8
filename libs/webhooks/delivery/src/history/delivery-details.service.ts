import { Injectable } from '@nestjs/common';
import { holdsPermission, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { WebhooksService } from '#webhooks/webhooks';
import { attemptsToCome, type ScheduledAttempt } from '../processing/retry-schedule.js';
import { type AttemptRow, DeliveryHistoryQuery, type DeliveryRow } from './delivery-history.query.js';

/** `original`: as it was signed. `removed`: its event is past its retention. `withheld`: not for this caller. */
export const PAYLOAD_STATES = ['original', 'redacted', 'removed', 'withheld'] as const;

/** What a delivery carries. */
export interface DeliveryPayload {
  readonly state: (typeof PAYLOAD_STATES)[number];
  readonly body: string | null;
}

/** All there is to know about one delivery. */
export interface DeliveryDetails {
  readonly delivery: DeliveryRow;
  readonly attempts: readonly AttemptRow[];
  readonly payload: DeliveryPayload;
  readonly schedule: readonly ScheduledAttempt[];
}

/** Shows one delivery: what was sent, what came back, and what is still to come. */
@Injectable()
export class DeliveryDetailsService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly history: DeliveryHistoryQuery,
    private readonly config: AppConfig,
  ) {}

  /** @throws ResourceNotFound for a webhook or delivery that the caller can't see */
  async get(ctx: RequestContext, webhookId: string, deliveryId: string): Promise<DeliveryDetails> {
    const webhook = await this.webhooks.get(ctx, webhookId);
    const found = await this.history.find(ctx, webhook, deliveryId);
    if (!found) throw new ResourceNotFound('delivery', deliveryId);
    const { attempts, ...delivery } = found;
    const isOpen = delivery.status === 'pending' || delivery.status === 'delivering';
    return {
      delivery,
      attempts,
      payload: await this.payload(ctx, delivery),
      schedule: isOpen ? attemptsToCome(delivery, this.config.webhookRetryScheduleMs) : [],
    };
  }

  /** An event's data is for those who may read events; who may only look after webhooks sees how its delivery went. */
  private async payload(ctx: RequestContext, delivery: DeliveryRow): Promise<DeliveryPayload> {
    if (!holdsPermission(ctx.caller.permissions, 'events:read')) return { state: 'withheld', body: null };
    const payload = await this.history.payloadOf(ctx, delivery);
    if (!payload) return { state: 'removed', body: null };
    return { state: payload.redacted ? 'redacted' : 'original', body: payload.body };
  }
}
