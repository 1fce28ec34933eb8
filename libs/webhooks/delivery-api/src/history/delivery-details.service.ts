import { Injectable } from '@nestjs/common';
import { hasPermission, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { WebhooksService } from '#webhooks/webhooks';
import { remainingAttempts, type ScheduledAttempt } from '#webhooks/delivery';
import { type AttemptRow, DeliveryHistoryQuery, type DeliveryRow } from './delivery-history.query.js';

/** States of a payload. `original`: as signed. `removed`: retention deleted the event. `withheld`: the caller lacks `events:read`. */
export const PAYLOAD_STATES = ['original', 'redacted', 'removed', 'withheld'] as const;

/** The payload of a delivery. */
export interface DeliveryPayload {
  readonly state: (typeof PAYLOAD_STATES)[number];
  readonly body: string | null;
}

/** A delivery with its payload, attempts and remaining schedule. */
export interface DeliveryDetails {
  readonly delivery: DeliveryRow;
  readonly attempts: readonly AttemptRow[];
  readonly payload: DeliveryPayload;
  readonly schedule: readonly ScheduledAttempt[];
}

/** Reads one delivery with its payload, its attempts and its remaining schedule. */
@Injectable()
export class DeliveryDetailsService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly history: DeliveryHistoryQuery,
    private readonly config: AppConfig,
  ) {}

  /** Returns the details of a delivery. @throws ResourceNotFound for a webhook or delivery that the caller can't access */
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
      schedule: isOpen ? remainingAttempts(delivery, this.config.webhookRetryScheduleMs) : [],
    };
  }

  /** Returns the payload. Reading it requires `events:read`, while the rest of a delivery requires only `webhooks:read`. */
  private async payload(ctx: RequestContext, delivery: DeliveryRow): Promise<DeliveryPayload> {
    if (!hasPermission(ctx.caller.permissions, 'events:read')) return { state: 'withheld', body: null };
    const payload = await this.history.payloadOf(ctx, delivery);
    if (!payload) return { state: 'removed', body: null };
    return { state: payload.redacted ? 'redacted' : 'original', body: payload.body };
  }
}
