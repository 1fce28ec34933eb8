import { Process, Processor } from '@nestjs/bull';
import { Inject } from '@nestjs/common';
import type { Job } from 'bull';
import type { BullDeliveries, BullDeliveryQueue } from './bull-delivery-queue.js';
import { DELIVERIES_QUEUE } from './bull-settings.js';
import { DeliveryQueue } from './delivery-queue.js';

/** Takes Bull jobs, in processes that deliver. A job is complete as soon as its deliveries have started. */
@Processor(DELIVERIES_QUEUE)
export class DeliveryProcessor {
  constructor(@Inject(DeliveryQueue) private readonly queue: BullDeliveryQueue) {}

  @Process({ concurrency: 16 })
  async process(job: Job<Partial<BullDeliveries>>): Promise<void> {
    const { deliveries } = job.data;
    if (deliveries) return this.queue.dispatch({ deliveries });
    // A flush of Redis while Bull takes a job leaves a job without data, which would block the job that the sweeper adds again. Bull removes
    // only unlocked jobs.
    await job.releaseLock().catch(() => undefined);
    await job.remove();
  }
}
