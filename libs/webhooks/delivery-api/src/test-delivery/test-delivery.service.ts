import { Injectable } from '@nestjs/common';
import { Clock, newId, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { eventPayload, EVENTS, type EventType } from '#platform/events';
import { WebhooksService } from '#webhooks/webhooks';
import { type AttemptResult, DeliverySender, DeliveryTargetsQuery, SecretsUnreadable } from '#webhooks/delivery';
import { TestDeliveryQuery } from './test-delivery.query.js';

/** Sends the catalog's example of an event to a webhook, without retries, even if the webhook is disabled. */
@Injectable()
export class TestDeliveryService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly targets: DeliveryTargetsQuery,
    private readonly sender: DeliverySender,
    private readonly deliveries: TestDeliveryQuery,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a test and stores it as a delivery. Never call it in a transaction: it waits for the destination.
   * @throws ResourceNotFound for a webhook that the caller can't access
   */
  async send(ctx: RequestContext, webhookId: string, type: EventType): Promise<{ deliveryId: string; attempt: AttemptResult }> {
    const { tenantId, organizationId } = await this.webhooks.get(ctx, webhookId);
    const now = this.clock.now();
    const payload = eventPayload(ctx, type, organizationOf(ctx), EVENTS[type].example, now);
    const body = JSON.stringify(payload);
    const [target] = await this.targets.findAll(ctx, [{ tenantId, eventId: payload.id, webhookId }]);
    if (!target) throw new ResourceNotFound('webhook', webhookId);
    if (target instanceof SecretsUnreadable) throw target.cause;

    const attempt = await this.sender.send({ target, body, messageId: payload.id, nowMs: now.getTime() });
    if (!attempt) throw new Error(`The format of the webhook ${webhookId} has no message for test events.`);
    const id = newId('delivery');
    await this.deliveries.insert(ctx, {
      tenantId,
      eventId: payload.id,
      eventType: type,
      id,
      webhookId,
      organizationId,
      payload: body,
      attempt,
    });
    return { deliveryId: id, attempt };
  }
}
