import { Injectable } from '@nestjs/common';
import { hasPermission, type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type EventPayload, type EventSubject, subjectOf } from '#platform/events';
import { WebhooksService } from '#webhooks/webhooks';
import { remainingAttempts, restoredHeaders, type ScheduledAttempt, SignedFormat } from '#webhooks/delivery';
import { type AttemptRow, type DeliveryCriteria, DeliveryHistoryQuery, type DeliveryRow } from './delivery-history.query.js';

/** States of a payload. `original`: as signed. `removed`: retention deleted the event. `withheld`: the caller lacks `events:read`. */
export const PAYLOAD_STATES = ['original', 'redacted', 'removed', 'withheld'] as const;

/** The payload of a delivery. */
export interface DeliveryPayload {
  readonly state: (typeof PAYLOAD_STATES)[number];
  readonly body: string | null;
}

/** A delivery in a list, with what its event is about. */
export interface ListedDelivery {
  readonly delivery: DeliveryRow;
  readonly subject: EventSubject | null;
}

/** An attempt with the body of its request, without the signature of a token. The body is null if it is the payload, or if there is no payload. */
export interface SentAttempt extends AttemptRow {
  readonly requestBody: string | null;
}

/** A delivery with its payload, attempts and remaining schedule. */
export interface DeliveryDetails {
  readonly delivery: DeliveryRow;
  readonly attempts: readonly SentAttempt[];
  readonly payload: DeliveryPayload;
  readonly schedule: readonly ScheduledAttempt[];
}

/** Reads deliveries: a list with the subjects of the events, and one delivery with its payload, attempts and remaining schedule. */
@Injectable()
export class DeliveryDetailsService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly history: DeliveryHistoryQuery,
    private readonly formats: SignedFormat,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns a page of deliveries with the subjects of their events, for which the caller needs `events:read`.
   * @throws ResourceNotFound for a webhook that the caller can't access, InvalidCursor
   */
  async list(
    ctx: RequestContext,
    webhookId: string,
    request: PageRequest,
    criteria: DeliveryCriteria,
  ): Promise<Page<ListedDelivery>> {
    const webhook = await this.webhooks.get(ctx, webhookId);
    const page = await this.history.list(ctx, webhook, request, criteria);
    const canReadEvents = hasPermission(ctx.caller.permissions, 'events:read');
    const eventIds = canReadEvents ? page.items.map(({ eventId }) => eventId) : [];
    const payloads =
      eventIds.length > 0 ? await this.history.mapPayloads(ctx, webhook.tenantId, eventIds) : new Map<string, string>();
    const items = page.items.map((delivery) => {
      const payload = payloads.get(delivery.eventId);
      return { delivery, subject: payload === undefined ? null : subjectOf((JSON.parse(payload) as EventPayload).data) };
    });
    return { ...page, items };
  }

  /** Returns the details of a delivery. @throws ResourceNotFound for a webhook or delivery that the caller can't access */
  async get(ctx: RequestContext, webhookId: string, deliveryId: string): Promise<DeliveryDetails> {
    const webhook = await this.webhooks.get(ctx, webhookId);
    const found = await this.history.find(ctx, webhook, deliveryId);
    if (!found) throw new ResourceNotFound('delivery', deliveryId);
    const { attempts, ...delivery } = found;
    const isOpen = delivery.status === 'pending' || delivery.status === 'delivering';
    const payload = await this.payload(ctx, delivery);
    return {
      delivery,
      attempts: attempts.map((attempt) => ({ ...attempt, requestBody: this.bodyOf(attempt, delivery, payload) })),
      payload,
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

  /** Encodes the payload as for the attempt, because only the payload is stored. */
  private bodyOf(
    { requestFormat, requestHeaders }: AttemptRow,
    { webhookId, eventId, sequence }: DeliveryRow,
    { body: payload }: DeliveryPayload,
  ): string | null {
    if (requestFormat === null || requestHeaders === null || payload === null) return null;
    const { 'webhook-timestamp': seconds } = restoredHeaders(requestHeaders, eventId, sequence);
    return this.formats.preview(requestFormat, { payload, webhookId, nowMs: Number(seconds) * 1_000 });
  }
}
