import type { PayloadFilter } from '#webhooks/webhooks';
import { coversEvent, type EventType } from '#platform/events';

/**
 * The properties of an event that decide which webhooks receive the event. Sequence numbers order changes of events, webhooks and
 * organizations.
 */
export interface RelayedEvent {
  readonly id: string;
  readonly seq: bigint;
  readonly type: EventType;
  readonly organizationId: string;
  readonly parentOrganizationId: string | null;
  readonly ancestorIds: readonly string[];
}

/** The properties of a webhook that decide which events it receives. */
export interface CandidateWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly events: readonly string[];
  readonly includeDescendants: boolean;
  /** A condition on the event's data. It is evaluated last, because it requires the payload. */
  readonly filter: PayloadFilter | null;
  readonly enabled: boolean;
  readonly disabledBy: string | null;
  readonly createdSeq: bigint;
  readonly deletedSeq: bigint | null;
  /** Sequence number of the deletion of the webhook's organization. */
  readonly organizationDeletedSeq: bigint | null;
}

/** Event types that webhooks of the parent organization also receive. */
export const TYPES_FOR_PARENT: ReadonlySet<EventType> = new Set<EventType>(['organization.created', 'organization.deleted']);

/** Returns whether a webhook receives an event. The state at the time of the event counts, even if the event is relayed later. */
export function matchesEvent(webhook: CandidateWebhook, event: RelayedEvent): boolean {
  return (
    existedAt(webhook, event.seq) &&
    covers(webhook, event) &&
    webhook.events.some((subscription) => coversEvent(subscription, event.type))
  );
}

/** Returns the IDs of all organizations whose webhooks can receive at least one of the events. */
export function organizationsOf(events: readonly RelayedEvent[]): string[] {
  return [...new Set(events.flatMap((event) => [event.organizationId, ...event.ancestorIds]))];
}

function existedAt({ createdSeq, deletedSeq, organizationDeletedSeq }: CandidateWebhook, seq: bigint): boolean {
  return (
    createdSeq < seq &&
    (deletedSeq === null || deletedSeq > seq) &&
    (organizationDeletedSeq === null || organizationDeletedSeq > seq)
  );
}

function covers(webhook: CandidateWebhook, event: RelayedEvent): boolean {
  if (webhook.organizationId === event.organizationId) return true;
  if (webhook.includeDescendants && event.ancestorIds.includes(webhook.organizationId)) return true;
  return webhook.organizationId === event.parentOrganizationId && TYPES_FOR_PARENT.has(event.type);
}
