import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { WebhooksService } from '#webhooks/webhooks';
import { DeliveryHistoryQuery, type DeliveryRow } from '../history/delivery-history.query.js';
import { DeliveryQueue } from '../queue/index.js';
import { DeliveryNotRepeatable, DeliveryUnderWay, WebhookDisabled } from './redelivery-errors.js';
import { RedeliveryQuery } from './redelivery.query.js';

/** Sends one delivery again, at a person's wish: with the same event id and the same bytes, signed anew. */
@Injectable()
export class RetryService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly history: DeliveryHistoryQuery,
    private readonly deliveries: RedeliveryQuery,
    private readonly transactions: TransactionRunner,
    private readonly queue: DeliveryQueue,
  ) {}

  /**
   * Makes a delivery due now, whatever became of it, with all attempts of the schedule ahead.
   * @throws ResourceNotFound for a webhook or delivery that the caller can't see
   * @throws WebhookDisabled, DeliveryUnderWay, DeliveryNotRepeatable (409)
   */
  async retry(ctx: RequestContext, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    const webhook = await this.webhooks.get(ctx, webhookId);
    const delivery = await this.history.find(ctx, webhook, deliveryId);
    if (!delivery) throw new ResourceNotFound('delivery', deliveryId);
    if (delivery.test) throw new DeliveryNotRepeatable(deliveryId, 'it is a test delivery. Send another test instead.');
    if (!webhook.enabled) throw new WebhookDisabled();
    if (delivery.status === 'delivering') throw new DeliveryUnderWay(deliveryId);

    return this.transactions.run(ctx, async (ctx) => {
      const job = await this.deliveries.restart(ctx, webhook, delivery.eventId, deliveryId);
      const restarted = await this.history.find(ctx, webhook, deliveryId);
      if (!restarted) throw new ResourceNotFound('delivery', deliveryId);
      if (!job && restarted.status === 'delivering') throw new DeliveryUnderWay(deliveryId);
      if (!job) throw new DeliveryNotRepeatable(deliveryId, 'its event is older than the retention period for events.');
      this.transactions.afterCommit(ctx, () => void this.queue.add([job]));
      return restarted;
    });
  }
}
