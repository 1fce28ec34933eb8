import { createHash } from 'node:crypto';
import { joinedDigest, payloadDigests } from '#platform/events';
import { CHAIN_START, chainHash } from '../chain/chain-hash.js';
import { parsedPayload } from '../chain/parsed-payload.js';
import { redactedPayload } from '../redaction/redacted-payload.js';
import type { PositionedRow } from './event-verification.query.js';

export const INVALID_REASONS = ['missing', 'unexpected', 'content_changed', 'link_broken'] as const;

/** The first problem of a chain. */
export interface InvalidEvent {
  readonly position: bigint;
  /** Undefined if the event is missing. */
  readonly event?: Pick<PositionedRow, 'id' | 'organization_id' | 'ancestor_ids'>;
  /**
   * `missing`: no event has the position. `unexpected`: there is an event at a position that should have none. `content_changed`: the
   * payload doesn't match its digest. `link_broken`: another column or the hash of the event was changed.
   */
  readonly reason: (typeof INVALID_REASONS)[number];
}

/** A range of positions that retention deleted. */
export interface Anchor {
  readonly fromPosition: bigint;
  readonly toPosition: bigint;
  readonly chainHash: Buffer;
}

/** Checks the hash chain of a tenant. Events must be added in the order of their positions. */
export class ChainCheck {
  private readonly anchors: ReadonlyMap<bigint, Anchor>;
  private previousHash: Buffer;
  private expectedPosition: bigint;
  checked = 0;
  redacted = 0;

  /** `start` contains the first position to check and the hash of the previous event. Default: the start of the chain. */
  constructor(
    private readonly tenantId: string,
    anchors: readonly Anchor[],
    start: { position: bigint; previousHash: Buffer } = { position: 1n, previousHash: CHAIN_START },
  ) {
    this.anchors = new Map(anchors.map((anchor) => [anchor.fromPosition, anchor]));
    this.previousHash = start.previousHash;
    this.expectedPosition = start.position;
  }

  /** Checks the next event and returns its problem, if any. Must not be called after a problem. */
  add(row: PositionedRow): InvalidEvent | undefined {
    this.skipAnchors();
    const position = BigInt(row.position);
    if (position < this.expectedPosition) return { position, event: row, reason: 'unexpected' };
    if (position > this.expectedPosition) return { position: this.expectedPosition, reason: 'missing' };
    this.checked++;
    if (row.redacted_at) this.redacted++;
    if (!isContentValid(row)) return { position, event: row, reason: 'content_changed' };
    if (!row.chain_hash?.equals(chainHash(this.previousHash, this.tenantId, position, row)))
      return { position, event: row, reason: 'link_broken' };
    this.previousHash = row.chain_hash;
    this.expectedPosition++;
    return undefined;
  }

  /** Checks that no event up to a position is missing. Call it after all events up to this position were added. */
  checkReached(position: bigint): InvalidEvent | undefined {
    this.skipAnchors();
    return this.expectedPosition <= position ? { position: this.expectedPosition, reason: 'missing' } : undefined;
  }

  /** Checks the last position and hash of the chain. Call it after all events were added. */
  checkEnd(head: { position: bigint; hash: Buffer | null }): InvalidEvent | undefined {
    const missing = this.checkReached(head.position);
    if (missing) return missing;
    if (!this.previousHash.equals(head.hash ?? CHAIN_START)) return { position: head.position, reason: 'link_broken' };
    return undefined;
  }

  private skipAnchors(): void {
    for (let anchor = this.anchors.get(this.expectedPosition); anchor; anchor = this.anchors.get(this.expectedPosition)) {
      this.previousHash = anchor.chainHash;
      this.expectedPosition = anchor.toPosition + 1n;
    }
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether the payload, or its remaining part after redaction, matches the digests of the row. */
function isContentValid(row: PositionedRow): boolean {
  const payload = parsedPayload(row.payload);
  if (row.redacted_at) return payload !== undefined && isRedactionValid(row, payload);
  if (row.envelope_digest || row.data_digest) return false;
  const isUnchangedJson = payload !== undefined && JSON.stringify(payload) === row.payload;
  if (isUnchangedJson && payloadDigests(payload).payload.equals(row.payload_digest)) return true;
  // Releases before the hash chain stored one digest of the whole payload.
  return sha256(row.payload).equals(row.payload_digest);
}

function isRedactionValid(row: PositionedRow, payload: { data: unknown }): boolean {
  const { envelope_digest: envelope, data_digest: data, payload_digest: payloadDigest, redaction_recorded: isRecorded } = row;
  if (!isRecorded || row.payload !== redactedPayload(row, payload.data)) return false;
  const dataText = JSON.stringify(payload.data);
  if (!envelope || !data) return !envelope && !data && dataText === '{}';
  return joinedDigest(envelope, data).equals(payloadDigest) && (dataText === '{}' || sha256(dataText).equals(data));
}
