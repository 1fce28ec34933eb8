import { createHash } from 'node:crypto';
import { column, row, type RowOf } from '#platform/database';

/** What the chain holds of an event, as SQL selects it from `events e`; times in microseconds, so that nothing is rounded. */
export const CHAINED_COLUMNS = `e.id, e.seq, e.type, e.organization_id, e.parent_organization_id, e.ancestor_ids, e.user_id, e.actor_type,
  e.actor_id, (extract(epoch FROM e.occurred_at) * 1000000)::bigint AS occurred_at_us,
  (extract(epoch FROM e.created_at) * 1000000)::bigint AS created_at_us, e.payload_digest`;

/** The columns of a `row(…)` that a statement with `CHAINED_COLUMNS` returns. */
export const CHAINED_ROW = {
  id: column.text(),
  seq: column.digits(),
  type: column.text(),
  organization_id: column.text(),
  parent_organization_id: column.nullable(column.text()),
  ancestor_ids: column.arrayOf(column.text()),
  user_id: column.nullable(column.text()),
  actor_type: column.text(),
  actor_id: column.nullable(column.text()),
  occurred_at_us: column.digits(),
  created_at_us: column.digits(),
  payload_digest: column.bytes(),
};
const CHAINED = row(CHAINED_ROW);
export type ChainedRow = RowOf<typeof CHAINED>;

/** What stands before a tenant's first event. */
export const CHAIN_START = Buffer.alloc(32);

/**
 * The hash that links an event to the one before it in its tenant's stream: SHA-256 over the previous hash (32 bytes), the header as a
 * JSON array in UTF-8, and the payload's digest (32 bytes). Changing, removing or inserting an event breaks all links after it.
 */
export function chainHash(previous: Buffer, tenantId: string, position: bigint, event: ChainedRow): Buffer {
  const header = JSON.stringify([
    tenantId,
    position.toString(),
    event.id,
    event.seq,
    event.type,
    event.organization_id,
    event.parent_organization_id,
    event.ancestor_ids,
    event.user_id,
    event.actor_type,
    event.actor_id,
    event.occurred_at_us,
    event.created_at_us,
  ]);
  return createHash('sha256').update(previous).update(header).update(event.payload_digest).digest();
}

/** The hashes of events that follow one another, from the position after `lastPosition` on. */
export function chainHashes(previous: Buffer, tenantId: string, lastPosition: bigint, events: readonly ChainedRow[]): Buffer[] {
  let [hash, position] = [previous, lastPosition];
  return events.map((event) => (hash = chainHash(hash, tenantId, ++position, event)));
}
