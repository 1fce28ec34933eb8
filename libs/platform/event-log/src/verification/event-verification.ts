import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { EventStreamRepository } from '#platform/events';
import { CHAIN_START } from '../chain/chain-hash.js';
import type { LogOrganization } from '../reading/event-filter.js';
import { type Anchor, ChainCheck, type InvalidEvent } from './chain-check.js';
import { EventAnchorRepository } from './event-anchor.repository.js';
import { EventVerificationQuery, type LogCursor } from './event-verification.query.js';

const ROWS_PER_BATCH = 500;
const RETRY_AFTER_SECONDS = 5;

/** The part of the log to verify. Without limits, the whole log. */
export interface VerifiedRange {
  readonly fromPosition?: bigint;
  readonly toPosition?: bigint;
  readonly since?: Date;
  readonly until?: Date;
}

export interface Link {
  readonly position: bigint;
  readonly hash: Buffer;
}

interface DatedAnchor extends Anchor {
  readonly droppedAt: Date;
}

export interface Verification {
  readonly firstInvalid: InvalidEvent | undefined;
  readonly checked: number;
  readonly redacted: number;
  readonly unchained: bigint;
  readonly from: Link | undefined;
  readonly to: Link | undefined;
  readonly anchors: readonly DatedAnchor[];
  readonly head: { readonly position: bigint; readonly hash: Buffer | null };
}

/**
 * The tenant has a verification in progress. Only one verification per tenant is allowed, because a verification can read the whole
 * log.
 */
export class VerificationInProgress extends DomainError {
  readonly code = 'verification_under_way';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super('The event log of this tenant is already being verified. Try again after that verification has finished.');
  }
}

/** The chain of a tenant at the beginning of a verification. */
interface Chain {
  readonly tenantId: string;
  readonly lastPosition: bigint;
  readonly head: { readonly position: bigint; readonly hash: Buffer | null };
  readonly anchors: readonly DatedAnchor[];
}

/** Positions to verify. Default: from the first to the last position. */
interface PositionRange {
  readonly from?: bigint;
  readonly to?: bigint;
}

/** Verifies that no event was changed, deleted or inserted directly in the database. */
@Injectable()
export class EventVerification {
  private readonly tenantsInProgress = new Set<string>();

  constructor(
    private readonly eventVerification: EventVerificationQuery,
    private readonly eventStreams: EventStreamRepository,
    private readonly eventAnchors: EventAnchorRepository,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Verifies the hash chain of the organization's tenant up to the first invalid event.
   * @throws VerificationInProgress (429)
   */
  async verify(
    ctx: RequestContext,
    { tenantId }: Pick<LogOrganization, 'tenantId'>,
    range: VerifiedRange,
  ): Promise<Verification> {
    if (this.tenantsInProgress.has(tenantId)) throw new VerificationInProgress();
    this.tenantsInProgress.add(tenantId);
    try {
      return await this.transactions.run(ctx, async (ctx) => {
        await this.eventVerification.useOneSnapshot(ctx);
        const chain = await this.getChain(ctx, tenantId);
        return await this.verifyRange(ctx, chain, await this.rangeOf(ctx, chain, range));
      });
    } finally {
      this.tenantsInProgress.delete(tenantId);
    }
  }

  private async getChain(ctx: RequestContext, tenantId: string): Promise<Chain> {
    const stream = await this.eventStreams.find(ctx, tenantId);
    const anchors = await this.eventAnchors.list(ctx, tenantId);
    return {
      tenantId,
      lastPosition: BigInt(stream?.lastPosition ?? 0),
      head: { position: BigInt(stream?.chainedPosition ?? 0), hash: stream?.lastChainHash ?? null },
      anchors: anchors.map(({ fromPosition, toPosition, ...rest }) => ({
        ...rest,
        fromPosition: BigInt(fromPosition),
        toPosition: BigInt(toPosition),
      })),
    };
  }

  private async rangeOf(
    ctx: RequestContext,
    { tenantId, head }: Chain,
    { fromPosition, toPosition, ...period }: VerifiedRange,
  ): Promise<PositionRange> {
    const inPeriod = period.since || period.until ? await this.eventVerification.findRange(ctx, tenantId, period) : undefined;
    // The period has no events: an empty range after the head.
    if (inPeriod === null) return { from: head.position + 1n, to: head.position };
    const from = highest(fromPosition, period.since && inPeriod?.[0]);
    return { from: from === 1n ? undefined : from, to: lowest(toPosition, period.until && inPeriod?.[1]) };
  }

  private async verifyRange(ctx: RequestContext, chain: Chain, { from, to }: PositionRange): Promise<Verification> {
    const { tenantId, head, anchors, lastPosition } = chain;
    const { position, hash, problem } = await this.startOf(ctx, chain, from);
    const check = new ChainCheck(tenantId, anchors, { position, previousHash: hash });
    const last = to === undefined || head.position < to ? head.position : to;
    let firstInvalid: InvalidEvent | undefined = problem;
    let [first, latest]: [Link | undefined, Link | undefined] = [undefined, undefined];
    let after: LogCursor | undefined = from === undefined ? undefined : { position: String(position), id: '' };
    for (let hasMore = position <= last || from === undefined; hasMore && !firstInvalid;) {
      const rows = await this.eventVerification.listEvents(ctx, tenantId, after, last, ROWS_PER_BATCH);
      for (const row of rows) {
        firstInvalid = check.add(row);
        if (firstInvalid) break;
        if (row.chain_hash) latest = { position: BigInt(row.position), hash: row.chain_hash };
        first ??= latest;
      }
      after = rows.at(-1);
      hasMore = rows.length === ROWS_PER_BATCH;
    }
    // A range after the head is empty, so its end can't be wrong.
    if (position <= head.position || from === undefined) firstInvalid ??= await this.problemAtEnd(ctx, chain, check, to);
    return {
      firstInvalid,
      checked: check.checked,
      redacted: check.redacted,
      unchained: lastPosition - head.position,
      from: first,
      to: latest,
      anchors,
      head,
    };
  }

  /**
   * Returns the first position to check and the previous hash. The hash is from the start of the chain, an anchor, or the event before
   * `from`.
   */
  private async startOf(ctx: RequestContext, { tenantId, head, anchors }: Chain, from: bigint | undefined) {
    if (from === undefined || from > head.position) return { position: from ?? 1n, hash: CHAIN_START };
    const anchor = anchors.find(({ fromPosition, toPosition }) => fromPosition < from && from <= toPosition + 1n);
    if (anchor) return { position: anchor.toPosition + 1n, hash: anchor.chainHash };
    const beforeFrom = { position: String(from - 1n), id: '' };
    const [previous] = await this.eventVerification.listEvents(ctx, tenantId, beforeFrom, from - 1n, 1);
    if (previous?.chain_hash) return { position: from, hash: previous.chain_hash };
    return { position: from, hash: CHAIN_START, problem: { position: from - 1n, reason: 'missing' } satisfies InvalidEvent };
  }

  /** Checks the end of the range. Checks the end of the chain only if the range includes the end of the chain. */
  private async problemAtEnd(ctx: RequestContext, chain: Chain, check: ChainCheck, to: bigint | undefined) {
    const { tenantId, lastPosition, head } = chain;
    if (to !== undefined && to < head.position) return check.checkReached(to);
    const problem = check.checkEnd(head);
    if (problem || to !== undefined) return problem;
    const beyond = await this.eventVerification.findBeyond(ctx, tenantId, lastPosition);
    return beyond && ({ position: BigInt(beyond.position), event: beyond, reason: 'unexpected' } satisfies InvalidEvent);
  }
}

const highest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const lowest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;
