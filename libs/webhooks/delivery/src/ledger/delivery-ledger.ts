import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { DeliveryJob } from '../queue/index.js';
import { Batcher } from './batcher.js';
import { DeliveryOrderQuery } from './delivery-order.query.js';
import { type ClaimedDelivery, DeliveryStateQuery, type DeliveryResult, type RecordedResult } from './delivery-state.query.js';
import type { DeliveryTarget, SecretsUnreadable } from './delivery-target.js';
import { DeliveryTargetsQuery } from './delivery-targets.query.js';
import { delayAfterAttemptMs } from './retry-schedule.js';

const CLAIMS = { sizeMax: 250, runsAtOnceMax: 2, spacingMs: 20 };
/** Only one run at a time, because runs write the health and statistics of the same webhooks and would wait for one another. */
const RECORDS = { sizeMax: 500, runsAtOnceMax: 1, spacingMs: 30 };

/** Maximum number of results that wait to be recorded. With more results, nothing further is sent. */
const UNRECORDED_MAX = 1_000;

/** Time after an attempt in which its result can be recorded before the lease ends. A shorter margin recovers the deliveries of a killed worker sooner. */
const LEASE_MARGIN_MS = 15_000;

/** Maximum number of attempts to record a result while the database does not respond. Afterwards the lease expires and the delivery is retried. */
const RECORD_TRIES_MAX = 20;
const RECORD_RETRY_DELAY_MS = 500;

/** The exclusive right of a process to send deliveries, for a limited time. */
export interface Lease {
  readonly owner: string;
  readonly ms: number;
}

/** A claimed delivery with its target. */
export interface ReadyDelivery extends ClaimedDelivery {
  readonly target: DeliveryTarget | SecretsUnreadable | null;
  /** Time when the target was read, on the monotonic clock of this process, in milliseconds. */
  readonly readAt: number;
}

/** Claims deliveries and records results, in batches under load. */
@Injectable()
export class DeliveryLedger {
  private readonly logger = new Logger(DeliveryLedger.name);
  private readonly ctx = systemContext('delivery-ledger');
  private readonly processId = randomUUID();
  private readonly leaseMs: number;
  private claimCount = 0;
  private readonly claims = new Batcher<DeliveryJob, ReadyDelivery | null>(CLAIMS, (jobs) => this.claimAll(jobs));
  private readonly records = new Batcher<DeliveryResult, RecordedResult | null>(RECORDS, (results) => this.recordAll(results));

  constructor(
    private readonly deliveries: DeliveryStateQuery,
    private readonly targets: DeliveryTargetsQuery,
    private readonly order: DeliveryOrderQuery,
    private readonly config: AppConfig,
  ) {
    this.leaseMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  }

  /** Returns a lease for the next deliveries. */
  newLease(): Lease {
    return { owner: `${this.processId}-${++this.claimCount}`, ms: this.leaseMs };
  }

  /** Whether nothing further should be sent, because too many results wait to be recorded. */
  get isBehind(): boolean {
    return this.records.waitingCount >= UNRECORDED_MAX;
  }

  /** Returns the delay after a failed attempt of a round, in milliseconds, or undefined after the last attempt. */
  retryDelayMs(attempt: number): number | undefined {
    return delayAfterAttemptMs(attempt, this.config.webhookRetryScheduleMs);
  }

  /** Claims a delivery and reads its target. Returns null if the delivery is not due or another worker has claimed it. */
  claim(job: DeliveryJob): Promise<ReadyDelivery | null> {
    return this.claims.add(job);
  }

  /** Records a result. Returns null when the lease was lost. */
  record(result: DeliveryResult): Promise<RecordedResult | null> {
    return this.records.add(result);
  }

  /** Returns whether no earlier delivery to the receiver is pending. */
  isFirst(delivery: ClaimedDelivery): Promise<boolean> {
    return this.order.isFirst(this.ctx, delivery);
  }

  /** Makes the oldest delivery to the receiver of a delivery due, if it waits for its turn. Returns its next attempt. */
  releaseFirst({ tenantId, webhookId }: ClaimedDelivery): Promise<DeliveryJob | undefined> {
    return this.order.releaseFirst(this.ctx, tenantId, webhookId);
  }

  private async claimAll(jobs: DeliveryJob[]): Promise<(ReadyDelivery | null)[]> {
    const lease = this.newLease();
    const claims = await this.deliveries.claim(this.ctx, jobs, lease.owner, lease.ms);
    const claimed = claims.filter((claim) => claim !== null);
    if (claimed.length === 0) return claims.map(() => null);
    const readAt = performance.now();
    const targets = await this.targets.findAll(this.ctx, claimed);
    const targetOf = new Map(claimed.map((claim, index) => [claim, targets[index] ?? null]));
    return claims.map((claim) => claim && { ...claim, target: targetOf.get(claim) ?? null, readAt });
  }

  private async recordAll(results: DeliveryResult[]): Promise<(RecordedResult | null)[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.deliveries.record(this.ctx, results);
      } catch (error) {
        if (tries >= RECORD_TRIES_MAX) throw error;
        if (tries === 1) this.logger.warn({ err: error }, 'Delivery results could not be written; retrying.');
        await delay(RECORD_RETRY_DELAY_MS);
      }
    }
  }
}

/** Returns whether a job is a delivery that this process has claimed. */
export const isReady = (job: DeliveryJob | ReadyDelivery): job is ReadyDelivery => 'leaseOwner' in job;
