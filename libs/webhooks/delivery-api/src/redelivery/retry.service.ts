import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { WebhooksService } from '#webhooks/webhooks';
import { DeliveryHistoryQuery, type DeliveryRow } from '../history/delivery-history.query.js';
import { DeliveryQueue } from '#webhooks/delivery';
import { DeliveryNotRepeatable, DeliveryInProgress, WebhookDisabled } from './redelivery-errors.js';
import { RedeliveryQuery } from './redelivery.query.js';

/** A receiver of deliveries: a webhook or another kind of receiver. */
export interface DeliveryReceiver {
  readonly tenantId: string;
  readonly id: string;
  readonly enabled: boolean;
}

/** Retries one delivery, with the same event ID and payload and with a new signature. */
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
   * Makes a delivery due now, in any state, and restarts its schedule.
   * @throws ResourceNotFound for a webhook or delivery that the caller can't access
   * @throws EventsReadRequired (403), ReauthenticationRequired (401)
   * @throws WebhookDisabled, DeliveryInProgress, DeliveryNotRepeatable (409)
   */
  async retry(ctx: RequestContext, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    const webhook = await this.webhooks.getForCopy(ctx, webhookId);
    return this.retryOf(ctx, webhook, deliveryId);
  }

  /** Same as `retry` for a receiver that the caller can access, which can be another one than a webhook. */
  async retryOf(ctx: RequestContext, receiver: DeliveryReceiver, deliveryId: string): Promise<DeliveryRow> {
    const delivery = await this.history.find(ctx, receiver, deliveryId);
    if (!delivery) throw new ResourceNotFound('delivery', deliveryId);
    if (delivery.test) throw new DeliveryNotRepeatable(deliveryId, 'it is a test delivery. Send another test instead.');
    if (!receiver.enabled) throw new WebhookDisabled();
    if (delivery.status === 'delivering') throw new DeliveryInProgress(deliveryId);

    return this.transactions.run(ctx, async (ctx) => {
      const job = await this.deliveries.restart(ctx, receiver, delivery.eventId, deliveryId);
      const restarted = await this.history.find(ctx, receiver, deliveryId);
      if (!restarted) throw new ResourceNotFound('delivery', deliveryId);
      if (!job && restarted.status === 'delivering') throw new DeliveryInProgress(deliveryId);
      if (!job) throw new DeliveryNotRepeatable(deliveryId, 'its event is older than the retention period for events.');
      this.transactions.afterCommit(ctx, () => void this.queue.add([job]));
      return restarted;
    });
  }
}
