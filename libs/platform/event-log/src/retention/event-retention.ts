import { Injectable, Logger } from '@nestjs/common';
import { Clock, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type Partition, PARTITIONED_TABLES, TransactionRunner } from '#platform/database';
import { EventRedactionQuery } from '../redaction/event-redaction.query.js';
import { RetentionMetrics } from './retention-metrics.js';
import { RetentionQuery } from './retention.query.js';

const INTERVAL_MS = 3_600_000;
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 2_000;

/**
 * Creates the partitions of the next weeks, and drops partitions whose retention period has ended:
 * - a week of deliveries and attempts, if no delivery is pending,
 * - a week of events, if all events are linked and no event has a pending delivery. Anchors of the hash chain replace the events.
 */
@Injectable()
export class EventRetention extends WorkerLoop {
  private readonly logger = new Logger(EventRetention.name);
  private readonly ctx: RequestContext = systemContext('event-retention');

  constructor(
    private readonly config: AppConfig,
    private readonly retention: RetentionQuery,
    private readonly eventRedaction: EventRedactionQuery,
    private readonly transactions: TransactionRunner,
    private readonly metrics: RetentionMetrics,
    private readonly clock: Clock,
  ) {
    super(config, 'Event retention', INTERVAL_MS);
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    const before = {
      events: new Date(now.getTime() - this.config.retentionEventsMs),
      deliveries: new Date(now.getTime() - this.config.retentionDeliveriesMs),
    };
    await this.runWithRetries((ctx) => this.retention.createPartitions(ctx, now));
    const keptCounts = new Map<string, number>();
    // Deliveries are dropped first. Events with remaining pending deliveries are kept.
    for (const table of ['deliveries', 'events'] as const) {
      const partitions = (await this.retention.listPartitions(this.ctx)).filter((each) => each.table === table);
      for (const week of partitions.filter(({ end }) => end <= before[table])) {
        const isDropped = await this.runWithRetries((ctx) =>
          table === 'events' ? this.dropEvents(ctx, week) : this.dropDeliveries(ctx, week),
        );
        if (!isDropped) keptCounts.set(table, (keptCounts.get(table) ?? 0) + 1);
      }
    }
    await this.runWithRetries((ctx) => this.retention.deleteFromDefaults(ctx, before));
    await this.runWithRetries((ctx) => this.eventRedaction.deleteCompleted(ctx, before.events));
    await this.measure(keptCounts);
  }

  private async dropDeliveries(ctx: RequestContext, week: Partition): Promise<boolean> {
    const attempts = (await this.retention.listPartitions(ctx)).find(
      ({ table, start }) => table === 'delivery_attempts' && start.getTime() === week.start.getTime(),
    );
    if (await this.retention.hasPendingDeliveries(ctx, week)) return false;
    if (attempts) await this.retention.lockTable(ctx, attempts);
    await this.retention.lockTable(ctx, week);
    // Checked again, because a replay before the lock can have made deliveries pending.
    if (await this.retention.hasPendingDeliveries(ctx, week)) return false;
    for (const partition of attempts ? [attempts, week] : [week]) await this.drop(ctx, partition);
    return true;
  }

  private async dropEvents(ctx: RequestContext, week: Partition): Promise<boolean> {
    if (await this.retention.hasPendingDeliveries(ctx, week)) return false;
    if (await this.retention.hasUnlinkedEvents(ctx, week)) return false;
    // Runs before the lock, because reading a week of events takes long. The events no longer change.
    await this.retention.insertAnchors(ctx, week.name);
    await this.retention.lockTable(ctx, week);
    // The exception rolls back the anchors.
    if (await this.retention.hasPendingDeliveries(ctx, week)) throw new DeliveriesBecamePending();
    await this.drop(ctx, week);
    return true;
  }

  private async drop(ctx: RequestContext, partition: Partition): Promise<void> {
    await this.retention.drop(ctx, partition);
    this.transactions.afterCommit(ctx, () => {
      this.metrics.droppedPartitions.inc({ table: partition.table });
      this.logger.log(`Dropped the partition ${partition.name} because its retention period has ended.`);
    });
  }

  /** Runs a step in a transaction, with retries while a table is locked. Returns false if the step can't run now. */
  private async runWithRetries(step: (ctx: RequestContext) => Promise<boolean | void>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.run(this.ctx, async (ctx) => {
          await this.retention.begin(ctx);
          return (await step(ctx)) ?? true;
        });
      } catch (error) {
        if (error instanceof DeliveriesBecamePending) return false;
        if (!isLockTimeout(error)) throw error;
        if (attempt === MAX_ATTEMPTS) return false;
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
  }

  private async measure(keptCounts: ReadonlyMap<string, number>): Promise<void> {
    const partitions = await this.retention.listPartitions(this.ctx);
    for (const table of PARTITIONED_TABLES) {
      this.metrics.partitions.set({ table }, partitions.filter((each) => each.table === table).length);
    }
    for (const table of ['deliveries', 'events']) this.metrics.keptPartitions.set({ table }, keptCounts.get(table) ?? 0);
    for (const week of partitions.filter(({ table }) => table === 'events')) {
      if (await this.retention.isEmpty(this.ctx, week)) continue;
      this.metrics.oldestWeek.set(week.start.getTime() / 1_000);
      break;
    }
  }
}

/** Deliveries became pending while their week was being deleted. The error rolls back the deletion. */
class DeliveriesBecamePending extends Error {}

const isLockTimeout = (error: unknown): boolean =>
  ((error as { driverError?: { code?: string } }).driverError?.code ?? (error as { code?: string }).code) === LOCK_NOT_AVAILABLE;
