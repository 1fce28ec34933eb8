import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type Admission, DeliveryPacer } from '../pacing/delivery-pacer.js';
import type { DeliveryJob } from '../queue/index.js';
import { Batcher } from './batcher.js';
import { type ClaimedDelivery, DeliveryStateQuery, type DeliveryResult, type RecordedResult } from './delivery-state.query.js';
import { type DeliveryTarget, DeliveryTargetsQuery, SecretsUnreadable } from './delivery-targets.query.js';

const CLAIMS = { sizeMax: 250, runsAtOnceMax: 2, spacingMs: 20 };
/** One at a time: most are of the same webhooks, whose health and statistics they write, and would wait for one another. */
const RECORDS = { sizeMax: 500, runsAtOnceMax: 1, spacingMs: 30 };

/** With more results waiting to be written than this, nothing further is sent until some are. */
const UNRECORDED_MAX = 1_000;

/** A lease outlasts the attempt with a margin for writing its result; the shorter, the sooner a killed worker's deliveries go out. */
const LEASE_MARGIN_MS = 15_000;

/** How often a result is written again while the database does not answer; after that the lease ends and the delivery is sent again. */
const RECORD_TRIES_MAX = 20;
const RECORD_RETRY_DELAY_MS = 500;

/** What was claimed and then waited for its place must begin soon, so that its lease outlasts the attempt. */
const CLAIM_STALE_AFTER_MS = LEASE_MARGIN_MS / 3;

/** What deliveries are claimed with. */
export interface Lease {
  readonly owner: string;
  readonly ms: number;
}

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
  private readonly claims = new Batcher<DeliveryJob | ClaimedDelivery, ReadyDelivery | null>(CLAIMS, (jobs) =>
    this.claimAll(jobs),
  );
  private readonly records = new Batcher<DeliveryResult, RecordedResult | null>(RECORDS, (results) => this.recordAll(results));

  constructor(
    private readonly deliveries: DeliveryStateQuery,
    private readonly targets: DeliveryTargetsQuery,
    private readonly pacer: DeliveryPacer,
    config: AppConfig,
  ) {
    this.leaseMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  }

  /** What the next deliveries are claimed with. */
  newLease(): Lease {
    return { owner: `${this.processId}-${++this.claimCount}`, ms: this.leaseMs };
  }

  /** Whether so many results wait to be written that nothing further should be sent. */
  get isBehind(): boolean {
    return this.records.waitingCount >= UNRECORDED_MAX;
  }

  /** The delivery, if it is due and nobody else has it; claimed already, it is made ready. */
  claim(job: DeliveryJob | ClaimedDelivery): Promise<ReadyDelivery | null> {
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

  private async claimAll(jobs: (DeliveryJob | ClaimedDelivery)[]): Promise<(ReadyDelivery | null)[]> {
    const unclaimed = jobs.filter((job) => !isClaimed(job));
    const lease = this.newLease();
    const claims = unclaimed.length > 0 ? await this.deliveries.claim(this.ctx, unclaimed, lease.owner, lease.ms) : [];
    const claimOf = new Map<DeliveryJob, ClaimedDelivery | null>(unclaimed.map((job, index) => [job, claims[index] ?? null]));
    const claimed = jobs.map((job) => (isClaimed(job) ? job : (claimOf.get(job) ?? null)));
    const wanted = claimed.filter((claim) => claim !== null);
    if (wanted.length === 0) return claimed.map(() => null);
    const readAt = performance.now();
    const targets = await this.targets.findAll(this.ctx, wanted);
    let next = 0;
    return claimed.map((claim) => claim && Object.assign(claim, { target: targets[next++] ?? null, readAt }));
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

/** Whether a delivery came with a lease of this process. */
export const isClaimed = (job: DeliveryJob | ClaimedDelivery): job is ClaimedDelivery => 'leaseOwner' in job;

/** Whether a claimed delivery waited so long for its place that its lease might end before its attempt does. */
export const isStale = ({ claimedAt }: ClaimedDelivery): boolean => performance.now() - claimedAt > CLAIM_STALE_AFTER_MS;
