import type { ChainedRow } from '../chain/chained-row.js';

type Header = Pick<ChainedRow, 'id' | 'type' | 'organization_id' | 'actor_type' | 'actor_id' | 'occurred_at_us'>;

/**
 * Returns the payload of a redacted event. The envelope contains only values that the hash chain covers. The result depends only on the
 * row, so that a verification can recompute the payload.
 */
export function redactedPayload(event: Header, data: unknown): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: new Date(Number(BigInt(event.occurred_at_us) / 1_000n)).toISOString(),
    organization: { id: event.organization_id, name: '' },
    data,
    actor: { type: event.actor_type, ...(event.actor_id === null ? {} : { id: event.actor_id }) },
  });
}
