import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import type { LogPlace } from '../reading/event-filter.js';
import { ChainCheck, type InvalidEvent, type NumberedRow } from './chain-check.js';
import { CHAIN_START } from '../chain/chain-hash.js';
import { type DatedAnchor, EventVerificationRead, type StreamState } from './event-verification.read.js';

const ROWS_PER_BATCH = 500;
const RETRY_AFTER_SECONDS = 5;

/** Which part of the log is verified; all of it when nothing is said. */
export interface VerifiedSpan {
  readonly fromPosition?: bigint;
  readonly toPosition?: bigint;
  readonly since?: Date;
  readonly until?: Date;
}

/** One link of the chain, for auditors to write down. */
export interface Link {
  readonly position: bigint;
  readonly hash: Buffer;
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

/** Somebody verifies the same tenant's log already: it reads all of it, so one at a time is enough. */
export class VerificationUnderWay extends DomainError {
  readonly code = 'verification_under_way';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super('The event log of this tenant is already being verified. Try again after that verification has finished.');
  }
}

interface Moment {
  readonly tenantId: string;
  readonly state: StreamState;
  readonly anchors: readonly DatedAnchor[];
}

/** Checks that nobody changed, removed or inserted events behind the service's back. */
@Injectable()
export class EventVerification {
  private readonly underWay = new Set<string>();

  constructor(
    private readonly read: EventVerificationRead,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Walks the chain of the place's tenant, a batch of rows at a time, up to the first event that is invalid.
   * @throws VerificationUnderWay (429)
   */
  async verify(ctx: RequestContext, { tenantId }: Pick<LogPlace, 'tenantId'>, span: VerifiedSpan): Promise<Verification> {
    if (this.underWay.has(tenantId)) throw new VerificationUnderWay();
    this.underWay.add(tenantId);
    try {
      return await this.transactions.run(ctx, async (ctx) => {
        await this.read.holdMoment(ctx);
        const [state, anchors] = [await this.read.streamState(ctx, tenantId), await this.read.anchors(ctx, tenantId)];
        return await this.walk(ctx, { tenantId, state, anchors }, await this.positionsOf(ctx, tenantId, state, span));
      });
    } finally {
      this.underWay.delete(tenantId);
    }
  }

  /** The positions that are asked for; undefined where the span is open. */
  private async positionsOf(
    ctx: RequestContext,
    tenantId: string,
    state: StreamState,
    { fromPosition, toPosition, ...time }: VerifiedSpan,
  ) {
    const within = time.since || time.until ? await this.read.positionsWithin(ctx, tenantId, time) : undefined;
    // Nothing occurred in that time: an empty stretch behind the head.
    if (within === null) return { from: state.chainedPosition + 1n, to: state.chainedPosition };
    const from = highest(fromPosition, time.since && within?.[0]);
    return { from: from === 1n ? undefined : from, to: lowest(toPosition, time.until && within?.[1]) };
  }

  private async walk(ctx: RequestContext, moment: Moment, { from, to }: { from?: bigint; to?: bigint }): Promise<Verification> {
    const { tenantId, state, anchors } = moment;
    const { position, hash, problem } = await this.startAt(ctx, moment, from);
    const check = new ChainCheck(tenantId, anchors, { position, previousHash: hash });
    const last = lowest(to, state.chainedPosition)!;
    let [firstInvalid, first, latest]: [InvalidEvent | undefined, Link | undefined, Link | undefined] = [
      problem,
      undefined,
      undefined,
    ];
    let after: Pick<NumberedRow, 'position' | 'id'> | undefined =
      from === undefined ? undefined : { position: String(position), id: '' };
    for (let more = position <= last || from === undefined; more && !firstInvalid;) {
      const rows = await this.read.numberedRows(ctx, tenantId, after, last, ROWS_PER_BATCH);
      for (const row of rows) {
        firstInvalid = check.add(row);
        if (firstInvalid) break;
        latest = { position: BigInt(row.position), hash: row.chain_hash! };
        first ??= latest;
      }
      after = rows.at(-1);
      more = rows.length === ROWS_PER_BATCH;
    }
    // A stretch behind the head holds nothing that could be wrong.
    if (position <= state.chainedPosition || from === undefined) firstInvalid ??= await this.endProblem(ctx, moment, check, to);
    return {
      firstInvalid,
      checked: check.checked,
      redacted: check.redacted,
      unchained: state.lastPosition - state.chainedPosition,
      from: first,
      to: latest,
      anchors,
      head: { position: state.chainedPosition, hash: state.lastChainHash },
    };
  }

  /** Where the walk begins: at the start of the chain, or with the hash of the event before the first one wanted, which is believed. */
  private async startAt(ctx: RequestContext, { tenantId, state, anchors }: Moment, from: bigint | undefined) {
    if (from === undefined || from > state.chainedPosition) return { position: from ?? 1n, hash: CHAIN_START };
    const anchor = anchors.find(({ fromPosition, toPosition }) => fromPosition < from && from <= toPosition + 1n);
    if (anchor) return { position: anchor.toPosition + 1n, hash: anchor.chainHash };
    const [before] = await this.read.numberedRows(ctx, tenantId, { position: String(from - 1n), id: '' }, from - 1n, 1);
    if (before?.chain_hash) return { position: from, hash: before.chain_hash };
    return { position: from, hash: CHAIN_START, problem: { position: from - 1n, reason: 'missing' } satisfies InvalidEvent };
  }

  /** What is wrong at the end; nothing is said of it where the span ends before. */
  private async endProblem(ctx: RequestContext, { tenantId, state }: Moment, check: ChainCheck, to: bigint | undefined) {
    if (to !== undefined && to < state.chainedPosition) return check.reached(to);
    const problem = check.finish({ position: state.chainedPosition, hash: state.lastChainHash });
    if (problem || to !== undefined) return problem;
    const beyond = await this.read.beyond(ctx, tenantId, state.lastPosition);
    return beyond && ({ position: BigInt(beyond.position), event: beyond, reason: 'unexpected' } satisfies InvalidEvent);
  }
}

const highest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const lowest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;
