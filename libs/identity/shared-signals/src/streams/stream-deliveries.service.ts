import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { DeliveryOrderQuery, DeliveryQueue } from '#webhooks/delivery';
import { STREAM_EVENT_TYPES } from '../events/stream-event-types.js';
import type { SsfStream } from './ssf-stream.entity.js';
import { StreamDeliveryQuery } from './stream-delivery.query.js';

/** Changes the pending deliveries of a stream with its status, in the transaction of the change. */
@Injectable()
export class StreamDeliveriesService {
  constructor(
    private readonly deliveries: StreamDeliveryQuery,
    private readonly order: DeliveryOrderQuery,
    private readonly queue: DeliveryQueue,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Skips the pending deliveries of events about users: a disabled stream keeps no events. */
  async skip(ctx: RequestContext, stream: SsfStream): Promise<void> {
    await this.deliveries.skipPending(ctx, stream, STREAM_EVENT_TYPES);
  }

  /** Lets all pending deliveries wait for a poll, or sends the oldest now and the others after it. */
  async restart(ctx: RequestContext, { tenantId, id, deliveryMethod }: SsfStream): Promise<void> {
    await this.deliveries.holdPending(ctx, { tenantId, id });
    if (deliveryMethod === 'poll') return;
    const job = await this.order.releaseFirst(ctx, tenantId, id);
    if (job) this.transactions.afterCommit(ctx, () => void this.queue.add([job]));
  }
}
