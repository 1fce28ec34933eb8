import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { payloadDigests } from '#platform/events';
import fc from 'fast-check';
import { CHAIN_START, chainHash } from '../chain/chain-hash.js';
import { redactedPayload } from '../redaction/redacted-payload.js';
import { type Anchor, ChainCheck, type InvalidEvent } from './chain-check.js';
import type { PositionedRow } from './event-verification.query.js';

const TENANT = 'org_t';

function rowAt(index: number): PositionedRow {
  const payload = {
    id: `evt_${index}`,
    type: 'user.updated',
    timestamp: new Date(1_700_000_000_000 + index).toISOString(),
    organization: { id: 'org_a', name: 'Acme' },
    data: { email: `user${index}@example.com`, 2: 'b', 1: 'a' },
    actor: { type: 'user', id: 'usr_1', email: 'ada@example.com' },
  };
  return {
    id: payload.id,
    seq: String(100 + index),
    type: payload.type,
    organization_id: 'org_a',
    parent_organization_id: TENANT,
    ancestor_ids: [TENANT],
    user_id: 'usr_2',
    actor_type: 'user',
    actor_id: 'usr_1',
    occurred_at_us: String((1_700_000_000_000 + index) * 1_000),
    created_at_us: String(1_700_000_000_000_123 + index),
    payload: JSON.stringify(payload),
    payload_digest: payloadDigests(payload).payload,
    position: String(index + 1),
    chain_hash: null,
    redacted_at: null,
    envelope_digest: null,
    data_digest: null,
    redaction_recorded: true,
  };
}

/** Returns the row as earlier releases wrote it: with one digest for the whole payload. */
const withOneDigest = (row: PositionedRow): PositionedRow => ({
  ...row,
  payload_digest: createHash('sha256').update(row.payload).digest(),
});

function chained(rows: PositionedRow[]): PositionedRow[] {
  let hash: Buffer = CHAIN_START;
  return rows.map((row) => ({ ...row, chain_hash: (hash = chainHash(hash, TENANT, BigInt(row.position), row)) }));
}

function redacted(row: PositionedRow, keepsData: boolean): PositionedRow {
  const payload = JSON.parse(row.payload);
  const hasOneDigest = !payloadDigests(payload).payload.equals(row.payload_digest);
  const { envelope, data } = payloadDigests(payload);
  return {
    ...row,
    redacted_at: new Date(),
    payload: redactedPayload(row, keepsData && !hasOneDigest ? payload.data : {}),
    envelope_digest: hasOneDigest ? null : envelope,
    data_digest: hasOneDigest ? null : data,
  };
}

const log = fc
  .array(fc.record({ hasOneDigest: fc.boolean(), redaction: fc.constantFrom('none', 'none', 'all', 'envelope') }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((kinds) => {
    const rows = chained(kinds.map(({ hasOneDigest }, index) => (hasOneDigest ? withOneDigest(rowAt(index)) : rowAt(index))));
    return rows.map((row, index) =>
      kinds[index]!.redaction === 'none' ? row : redacted(row, kinds[index]!.redaction === 'envelope'),
    );
  });

function check(rows: readonly PositionedRow[], head: PositionedRow, anchors: readonly Anchor[] = []): InvalidEvent | undefined {
  const chain = new ChainCheck(TENANT, anchors);
  const inOrder = [...rows].sort((a, b) => Number(a.position) - Number(b.position) || (a.id < b.id ? -1 : 1));
  for (const row of inOrder) {
    const problem = chain.add(row);
    if (problem) return problem;
  }
  return chain.checkEnd({ position: BigInt(head.position), hash: head.chain_hash });
}

const tampering = fc.oneof(
  fc.constantFrom(
    'id',
    'seq',
    'type',
    'organization_id',
    'parent_organization_id',
    'user_id',
    'actor_type',
    'actor_id',
    'occurred_at_us',
    'created_at_us',
  ),
  fc.constantFrom(
    'ancestor_ids',
    'payload',
    'payload layout',
    'payload_digest',
    'chain_hash',
    'redacted_at',
    'remove',
    'insert',
    'insert before all',
    'rewrite',
    'empty',
    'digests',
  ),
);

function tampered(rows: readonly PositionedRow[], index: number, how: string): PositionedRow[] {
  const row = rows[index]!;
  const otherRows = rows.filter((each) => each !== row);
  const flip = (buffer: Buffer | null) => Buffer.from(buffer ?? CHAIN_START).map((byte, at) => (at === 3 ? byte ^ 1 : byte));
  const changes: Record<string, () => PositionedRow[]> = {
    ancestor_ids: () => [...otherRows, { ...row, ancestor_ids: [] }],
    payload: () => [...otherRows, { ...row, payload: row.payload.replace('user.updated', 'user.created') }],
    'payload layout': () => [...otherRows, { ...row, payload: `${row.payload} ` }],
    payload_digest: () => [...otherRows, { ...row, payload_digest: Buffer.from(flip(row.payload_digest)) }],
    chain_hash: () => [...otherRows, { ...row, chain_hash: Buffer.from(flip(row.chain_hash)) }],
    redacted_at: () => [...otherRows, { ...row, redacted_at: row.redacted_at ? null : new Date() }],
    remove: () => otherRows,
    insert: () => [...rows, { ...row, id: `${row.id}x` }],
    'insert before all': () => [...rows, { ...row, id: `${row.id}x`, position: '0' }],
    rewrite: () => {
      const changed = { ...row, user_id: 'usr_9' };
      const previous = rows[index - 1]?.chain_hash ?? CHAIN_START;
      return [...otherRows, { ...changed, chain_hash: chainHash(previous, TENANT, BigInt(row.position), changed) }];
    },
    empty: () => [
      ...otherRows,
      {
        ...row,
        payload: redactedPayload(row, { forged: true }),
        redacted_at: new Date(),
        envelope_digest: null,
        data_digest: null,
      },
    ],
    digests: () => [...otherRows, { ...row, envelope_digest: CHAIN_START, data_digest: CHAIN_START }],
  };
  return changes[how]?.() ?? [...otherRows, { ...row, [how]: `${String(row[how as keyof PositionedRow])}1` }];
}

describe('ChainCheck', () => {
  it('accepts unchanged and redacted events', () => {
    fc.assert(fc.property(log, (rows) => expect(check(rows, rows.at(-1)!)).toBeUndefined()));
  });

  it('finds each changed, deleted or inserted row', () => {
    fc.assert(
      fc.property(log, fc.nat(), tampering, (rows, at, how) => {
        const index = at % rows.length;
        const problem = check(tampered(rows, index, how), rows.at(-1)!);
        expect({ how, index, problem }).toMatchObject({ problem: { reason: expect.any(String) } });
        // The check reports a problem at the changed row or at the row after it.
        const latest = how === 'insert before all' ? 0n : BigInt(index + 2);
        expect(problem!.position <= latest).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports a redaction without a request as a change', () => {
    const rows = chained([rowAt(0), rowAt(1)]);
    const forged = { ...redacted(rows[0]!, false), redaction_recorded: false };
    expect(check([forged, rows[1]!], rows[1]!)).toMatchObject({ position: 1n, reason: 'content_changed' });
  });

  it('accepts a gap only if an anchor covers the gap', () => {
    fc.assert(
      fc.property(log, fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), fc.nat(), (rows, dropped, at) => {
        const isDropped = (index: number) => index >= 0 && index < rows.length && dropped[index]!;
        const anchors = rows.flatMap((row, index): Anchor[] => {
          if (!isDropped(index) || isDropped(index - 1)) return [];
          let last = index;
          while (isDropped(last + 1)) last++;
          const { position, chain_hash: hash } = rows[last]!;
          return [{ fromPosition: BigInt(row.position), toPosition: BigInt(position), chainHash: hash! }];
        });
        const remaining = rows.filter((_, index) => !isDropped(index));
        expect(check(remaining, rows.at(-1)!, anchors)).toBeUndefined();
        if (remaining.length > 0) {
          const removed = remaining.filter((_, index) => index !== at % remaining.length);
          expect(check(removed, rows.at(-1)!, anchors)).toMatchObject({ reason: 'missing' });
        }
        const reinserted = rows.find((_, index) => isDropped(index));
        if (reinserted) expect(check([...remaining, reinserted], rows.at(-1)!, anchors)).toMatchObject({ reason: 'unexpected' });
      }),
    );
  });

  it('finds a deleted last event or a wrong head hash', () => {
    const rows = chained([rowAt(0), rowAt(1), rowAt(2)]);
    expect(check(rows.slice(0, 2), rows[2]!)).toEqual({ position: 3n, reason: 'missing' });
    expect(check(rows.slice(0, 2), { ...rows[1]!, chain_hash: rows[2]!.chain_hash })).toEqual({
      position: 2n,
      reason: 'link_broken',
    });
  });
});
