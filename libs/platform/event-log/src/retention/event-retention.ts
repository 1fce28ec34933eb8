import { Injectable, Logger } from '@nestjs/common';
import { Clock, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type Partition, PARTITIONED_TABLES, TransactionRunner } from '#platform/database';
import { RetentionMetrics } from './retention-metrics.js';
import { RetentionRepository } from './retention.repository.js';

const INTERVAL_MS = 3_600_000;
const LOCK_NOT_AVAILABLE = '55P03';
const TRIES = 5;
const PAUSE_MS = 2_000;

/**
 * Makes partitions for weeks to come, and drops those that are wholly past their retention: a week of events once it is linked and
 * nothing of it waits for a webhook, with an anchor for the chain; a week of deliveries with its attempts once none is pending.
 */
@Injectable()
export class EventRetention extends WorkerLoop {
  private readonly logger = new Logger(EventRetention.name);
  private readonly ctx: RequestContext = systemContext('event-retention');

  constructor(
    private readonly config: AppConfig,
    private readonly repository: RetentionRepository,
    private readonly transactions: TransactionRunner,
    private readonly metrics: RetentionMetrics,
    private readonly clock: Clock,
  ) {
    super(config, 'Event retention', INTERVAL_MS);
  }

  /** One round over all partitions. */
  async run(): Promise<void> {
    const now = this.clock.now();
    const before = {
      events: new Date(now.getTime() - this.config.retentionEventsMs),
      deliveries: new Date(now.getTime() - this.config.retentionDeliveriesMs),
    };
    await this.patiently((ctx) => this.repository.makePartitions(ctx, now));
    const held = new Map<string, number>();
    // Attempts go with their week of deliveries; deliveries first, so that those done no longer hold events back.
    for (const table of ['deliveries', 'events'] as const) {
      const partitions = (await this.repository.partitions(this.ctx)).filter((each) => each.table === table);
      for (const week of partitions.filter(({ end }) => end <= before[table])) {
        const dropped = await this.patiently((ctx) =>
          table === 'events' ? this.dropEvents(ctx, week) : this.dropDeliveries(ctx, week),
        );
        if (!dropped) held.set(table, (held.get(table) ?? 0) + 1);
      }
    }
    await this.patiently((ctx) => this.repository.removeFromDefaults(ctx, before));
    await this.patiently((ctx) => this.repository.forgetRedactions(ctx, before.events));
    await this.measure(held);
  }

  private async dropDeliveries(ctx: RequestContext, week: Partition): Promise<boolean> {
    const attempts = (await this.repository.partitions(ctx)).find(
      ({ table, start }) => table === 'delivery_attempts' && start.getTime() === week.start.getTime(),
    );
    if (await this.repository.hasPendingDeliveries(ctx, week)) return false;
    if (attempts) await this.repository.lockTable(ctx, attempts);
    await this.repository.lockTable(ctx, week);
    // Asked again, since somebody may have had deliveries made again until the lock was there.
    if (await this.repository.hasPendingDeliveries(ctx, week)) return false;
    for (const partition of attempts ? [attempts, week] : [week]) await this.drop(ctx, partition);
    return true;
  }

  private async dropEvents(ctx: RequestContext, week: Partition): Promise<boolean> {
    if (await this.repository.hasPendingDeliveries(ctx, week)) return false;
    if (await this.repository.hasUnlinkedEvents(ctx, week)) return false;
    // Before the lock, since it reads the whole week; that does not change any more.
    await this.repository.anchor(ctx, week.name);
    await this.repository.lockTable(ctx, week);
    // Thrown, so that the anchors go, too.
    if (await this.repository.hasPendingDeliveries(ctx, week)) throw new WeekIsNeeded();
    await this.drop(ctx, week);
    return true;
  }

  private async drop(ctx: RequestContext, partition: Partition): Promise<void> {
    await this.repository.drop(ctx, partition);
    this.transactions.afterCommit(ctx, () => {
      this.metrics.droppedPartitions.inc({ table: partition.table });
      this.logger.log(`Dropped the partition ${partition.name} because its retention period has ended.`);
    });
  }

  /** Runs a step in a transaction of its own; false when it can't be done now. A busy table is asked for again after a pause. */
  private async patiently(step: (ctx: RequestContext) => Promise<boolean | void>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.run(this.ctx, async (ctx) => {
          await this.repository.begin(ctx);
          return (await step(ctx)) ?? true;
        });
      } catch (error) {
        if (error instanceof WeekIsNeeded) return false;
        if (!isLockTimeout(error)) throw error;
        if (attempt === TRIES) return false;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  private async measure(held: ReadonlyMap<string, number>): Promise<void> {
    const partitions = await this.repository.partitions(this.ctx);
    for (const table of PARTITIONED_TABLES) {
      this.metrics.partitions.set({ table }, partitions.filter((each) => each.table === table).length);
    }
    for (const table of ['deliveries', 'events']) this.metrics.heldPartitions.set({ table }, held.get(table) ?? 0);
    for (const week of partitions.filter(({ table }) => table === 'events')) {
      if (await this.repository.isEmpty(this.ctx, week)) continue;
      this.metrics.oldestWeek.set(week.start.getTime() / 1_000);
      break;
    }
  }
}

/** Deliveries of the week are pending. */
class WeekIsNeeded extends Error {}

const isLockTimeout = (error: unknown): boolean =>
  ((error as { driverError?: { code?: string } }).driverError?.code ?? (error as { code?: string }).code) === LOCK_NOT_AVAILABLE;
