import type { PayloadFilter } from '#webhooks/webhooks';
import { coversEvent, type EventType } from '#platform/events';

/** What of an event decides which webhooks get it. Sequence numbers order it against webhooks and organizations. */
export interface RelayedEvent {
  readonly id: string;
  readonly seq: bigint;
  readonly type: EventType;
  readonly organizationId: string;
  readonly parentOrganizationId: string | null;
  readonly ancestorIds: readonly string[];
}

/** What of a webhook decides which events it gets. */
export interface CandidateWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly events: readonly string[];
  readonly includeDescendants: boolean;
  /** A condition on the event's data; whether it is met is asked for last, since that takes the payload. */
  readonly filter: PayloadFilter | null;
  readonly enabled: boolean;
  readonly disabledBy: string | null;
  readonly createdSeq: bigint;
  readonly deletedSeq: bigint | null;
  /** When the webhook's organization was deleted. */
  readonly organizationDeletedSeq: bigint | null;
}

/** A direct child's coming and going reaches the parent's webhooks, too. */
export const ALSO_FOR_PARENT: ReadonlySet<EventType> = new Set<EventType>(['organization.created', 'organization.deleted']);

/** Whether a webhook gets an event: judged as of the event, however late it is relayed. */
export function getsEvent(webhook: CandidateWebhook, event: RelayedEvent): boolean {
  return (
    existedAt(webhook, event.seq) &&
    concerns(webhook, event) &&
    webhook.events.some((subscription) => coversEvent(subscription, event.type))
  );
}

/** All organizations whose webhooks may get one of these events. */
export function concernedOrganizations(events: readonly RelayedEvent[]): string[] {
  return [...new Set(events.flatMap((event) => [event.organizationId, ...event.ancestorIds]))];
}

function existedAt({ createdSeq, deletedSeq, organizationDeletedSeq }: CandidateWebhook, seq: bigint): boolean {
  return (
    createdSeq < seq &&
    (deletedSeq === null || deletedSeq > seq) &&
    (organizationDeletedSeq === null || organizationDeletedSeq > seq)
  );
}

function concerns(webhook: CandidateWebhook, event: RelayedEvent): boolean {
  if (webhook.organizationId === event.organizationId) return true;
  if (webhook.includeDescendants && event.ancestorIds.includes(webhook.organizationId)) return true;
  return webhook.organizationId === event.parentOrganizationId && ALSO_FOR_PARENT.has(event.type);
}
