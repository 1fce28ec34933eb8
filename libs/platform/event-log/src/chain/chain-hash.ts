import { createHash } from 'node:crypto';
import type { ChainedRow } from './chained-row.js';

/** The previous hash for a tenant's first event. */
export const CHAIN_START = Buffer.alloc(32);

/**
 * Returns the hash that links an event to the previous event of the tenant: SHA-256 over the previous hash (32 bytes), the header as a
 * JSON array in UTF-8, and the digest of the payload (32 bytes). If an event is changed, removed or inserted, all later hashes are wrong.
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

/** Returns the hashes of events with consecutive positions. The position of the first event is `lastPosition + 1`. */
export function chainHashes(previous: Buffer, tenantId: string, lastPosition: bigint, events: readonly ChainedRow[]): Buffer[] {
  let [hash, position] = [previous, lastPosition];
  return events.map((event) => (hash = chainHash(hash, tenantId, ++position, event)));
}
