import { createHash } from 'node:crypto';
import { joinedDigest, payloadDigests } from '#platform/events';
import { CHAIN_START, chainHash, type ChainedRow } from '../chain/chain-hash.js';
import { parsedPayload } from '../chain/parsed-payload.js';
import { redactedPayload } from '../redaction/redacted-payload.js';

export const INVALID_REASONS = ['missing', 'unexpected', 'content_changed', 'link_broken'] as const;

/** What is wrong where. */
export interface InvalidEvent {
  readonly position: bigint;
  /** The row that is wrong; none where one is missing. */
  readonly event?: Pick<ChainedRow, 'id' | 'organization_id' | 'ancestor_ids'>;
  /**
   * `missing`: there is no event with the position. `unexpected`: an event where none should be. `content_changed`: the payload is not the
   * one that was digested. `link_broken`: other columns were changed, or the chain was.
   */
  readonly reason: (typeof INVALID_REASONS)[number];
}

/** A run of positions that retention removed. */
export interface Anchor {
  readonly fromPosition: bigint;
  readonly toPosition: bigint;
  readonly chainHash: Buffer;
}

/** A numbered event as the table has it. */
export interface NumberedRow extends ChainedRow {
  position: string;
  payload: string;
  chain_hash: Buffer | null;
  redacted_at: Date | null;
  envelope_digest: Buffer | null;
  data_digest: Buffer | null;
  /** Whether the person was deleted for good because of whom it would be redacted. */
  redaction_recorded: boolean;
}

/** Follows a tenant's chain over rows that are handed to it in the order of positions. */
export class ChainCheck {
  private readonly anchors: ReadonlyMap<bigint, Anchor>;
  private previous: Buffer;
  private expected: bigint;
  checked = 0;
  redacted = 0;

  /** Begins at a position, with the hash of the one before it; by default with the first. */
  constructor(
    private readonly tenantId: string,
    anchors: readonly Anchor[],
    start: { position: bigint; previousHash: Buffer } = { position: 1n, previousHash: CHAIN_START },
  ) {
    this.anchors = new Map(anchors.map((anchor) => [anchor.fromPosition, anchor]));
    this.previous = start.previousHash;
    this.expected = start.position;
  }

  /** Checks the next row. Once something is invalid, what follows can't be judged. */
  add(row: NumberedRow): InvalidEvent | undefined {
    this.passAnchors();
    const position = BigInt(row.position);
    if (position < this.expected) return { position, event: row, reason: 'unexpected' };
    if (position > this.expected) return { position: this.expected, reason: 'missing' };
    this.checked++;
    if (row.redacted_at) this.redacted++;
    if (!isContentProven(row)) return { position, event: row, reason: 'content_changed' };
    if (!row.chain_hash?.equals(chainHash(this.previous, this.tenantId, position, row)))
      return { position, event: row, reason: 'link_broken' };
    this.previous = row.chain_hash;
    this.expected++;
    return undefined;
  }

  /** Checks that none is missing up to a position, after all rows up to it. */
  reached(position: bigint): InvalidEvent | undefined {
    this.passAnchors();
    return this.expected <= position ? { position: this.expected, reason: 'missing' } : undefined;
  }

  /** Checks that the chain reaches up to its head, after all rows. */
  finish(head: { position: bigint; hash: Buffer | null }): InvalidEvent | undefined {
    const missing = this.reached(head.position);
    if (missing) return missing;
    if (!this.previous.equals(head.hash ?? CHAIN_START)) return { position: head.position, reason: 'link_broken' };
    return undefined;
  }

  private passAnchors(): void {
    for (let anchor = this.anchors.get(this.expected); anchor; anchor = this.anchors.get(this.expected)) {
      this.previous = anchor.chainHash;
      this.expected = anchor.toPosition + 1n;
    }
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the payload, or what redaction left of it, is what the row's digest was made of. */
function isContentProven(row: NumberedRow): boolean {
  const payload = parsedPayload(row.payload);
  if (row.redacted_at) return payload !== undefined && isRedactionProven(row, payload);
  if (row.envelope_digest || row.data_digest) return false;
  const isAsWritten = payload !== undefined && JSON.stringify(payload) === row.payload;
  if (isAsWritten && payloadDigests(payload).payload.equals(row.payload_digest)) return true;
  // As releases before the chain digested.
  return sha256(row.payload).equals(row.payload_digest);
}

function isRedactionProven(row: NumberedRow, payload: { data: unknown }): boolean {
  const { envelope_digest: envelope, data_digest: data, payload_digest: whole, redaction_recorded: isRecorded } = row;
  if (!isRecorded || row.payload !== redactedPayload(row, payload.data)) return false;
  const left = JSON.stringify(payload.data);
  if (!envelope || !data) return !envelope && !data && left === '{}';
  return joinedDigest(envelope, data).equals(whole) && (left === '{}' || sha256(left).equals(data));
}
