import type { ChainedRow } from '../chain/chain-hash.js';

type Header = Pick<ChainedRow, 'id' | 'type' | 'organization_id' | 'actor_type' | 'actor_id' | 'occurred_at_us'>;

/**
 * The payload that is left of a redacted event: nothing in its envelope but what the chain holds in the event's header, and `data` as it
 * was, or empty. It follows from the row alone, so that a verification can tell it from a payload that was tampered with.
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
