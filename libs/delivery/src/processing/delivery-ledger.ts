import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { systemContext } from '#common';
import { AppConfig } from '#config';
import { type Admission, DeliveryPacer } from '../pacing/delivery-pacer.js';
import type { DeliveryJob } from '../queue/index.js';
import { Batcher } from './batcher.js';
import { type ClaimedDelivery, DeliveriesRepository, type DeliveryResult, type RecordedResult } from './deliveries.repository.js';
import { type DeliveryTarget, DeliveryTargetsRead, SecretsUnreadable } from './delivery-targets.read.js';

const BATCH_MAX = 200;
const CLAIMS_AT_ONCE = 2;
const RECORDS_AT_ONCE = 2;

/** A lease outlasts the attempt with a margin for writing its result; the shorter, the sooner a killed worker's deliveries go out. */
const LEASE_MARGIN_MS = 15_000;

/** How often a result is written again while the database does not answer; after that the lease ends and the delivery is sent again. */
const RECORD_TRIES_MAX = 20;
const RECORD_RETRY_DELAY_MS = 500;

/** A claimed delivery with all that its attempt needs. */
export interface ReadyDelivery extends ClaimedDelivery {
  readonly target: DeliveryTarget | SecretsUnreadable | null;
  /** When the target was asked for, on this process's monotonic clock: it was like this then or later. */
  readonly readAt: number;
}

/** Claims and results, written in batches under load. */
@Injectable()
export class DeliveryLedger {
  private readonly logger = new Logger(DeliveryLedger.name);
  private readonly ctx = systemContext('delivery-processor');
  private readonly processId = randomUUID();
  private readonly leaseMs: number;
  private claimCount = 0;
  private readonly claims = new Batcher<DeliveryJob, ReadyDelivery | null>(BATCH_MAX, CLAIMS_AT_ONCE, (jobs) =>
    this.claimAll(jobs),
  );
  private readonly records = new Batcher<DeliveryResult, RecordedResult | null>(BATCH_MAX, RECORDS_AT_ONCE, (results) =>
    this.recordAll(results),
  );

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly targets: DeliveryTargetsRead,
    private readonly pacer: DeliveryPacer,
    config: AppConfig,
  ) {
    this.leaseMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  }

  /** The delivery, if it is due and nobody else has it. */
  claim(job: DeliveryJob): Promise<ReadyDelivery | null> {
    return this.claims.add(job);
  }

  /** When a claimed delivery of a webhook with a rate limit may go; unless that is now, it is not this process's any more. */
  takeTurn(delivery: ReadyDelivery, limitPerSecond: number): Promise<Admission> {
    return this.pacer.admit(delivery, limitPerSecond);
  }

  /** Writes what became of it; null when the lease was lost meanwhile. */
  record(result: DeliveryResult): Promise<RecordedResult | null> {
    return this.records.add(result);
  }

  private async claimAll(jobs: DeliveryJob[]): Promise<(ReadyDelivery | null)[]> {
    const owner = `${this.processId}-${++this.claimCount}`;
    const claims = await this.deliveries.claim(this.ctx, jobs, owner, this.leaseMs);
    const claimed = claims.filter((claim) => claim !== null);
    if (claimed.length === 0) return claims.map(() => null);
    const readAt = performance.now();
    const targets = await this.targets.findAll(this.ctx, claimed);
    const ready = new Map(claimed.map((claim, index) => [claim, { ...claim, target: targets[index] ?? null, readAt }]));
    return claims.map((claim) => (claim && ready.get(claim)) ?? null);
  }

  private async recordAll(results: DeliveryResult[]): Promise<(RecordedResult | null)[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.deliveries.record(this.ctx, results);
      } catch (error) {
        if (tries >= RECORD_TRIES_MAX) throw error;
        if (tries === 1) this.logger.warn({ err: error }, 'Delivery results could not be written; trying again.');
        await delay(RECORD_RETRY_DELAY_MS);
      }
    }
  }
}
