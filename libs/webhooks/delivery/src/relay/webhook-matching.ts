import { Logger } from '@nestjs/common';
import { meetsFilter, type PayloadFilter } from '#webhooks/webhooks';
import { coversEvent, type EventType } from '#platform/events';

const logger = new Logger('WebhookMatching');

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
  readonly payload: string;
}

/** The properties of a webhook that decide which events it receives. */
export interface CandidateWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly events: readonly string[];
  readonly includeDescendants: boolean;
  /** A condition on the event's data. It is evaluated last, because the payload must be parsed for it. */
  readonly filter: PayloadFilter | null;
  readonly createdSeq: bigint;
  readonly deletedSeq: bigint | null;
  /** Sequence number of the deletion of the webhook's organization. */
  readonly organizationDeletedSeq: bigint | null;
}

/** Event types that webhooks of the parent organization also receive. */
export const TYPES_FOR_PARENT: ReadonlySet<EventType> = new Set<EventType>([
  'organization.created',
  'organization.moved',
  'organization.deleted',
]);

/** Returns whether a webhook receives an event. The state at the time of the event counts, even if the event is relayed later. */
export function matchesEvent(webhook: CandidateWebhook, event: RelayedEvent): boolean {
  return (
    existedAt(webhook, event.seq) &&
    covers(webhook, event) &&
    webhook.events.some((subscription) => coversEvent(subscription, event.type)) &&
    (!webhook.filter || payloadMatches(webhook.filter, event.payload))
  );
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

/** Returns whether the data of an event matches a filter. An unusable filter matches all events, so that no event is lost. */
export function payloadMatches(filter: PayloadFilter, payload: string): boolean {
  try {
    return meetsFilter(filter, (JSON.parse(payload) as { data: unknown }).data);
  } catch (error) {
    logger.error({ err: error }, 'A payload filter could not be evaluated; the event is sent.');
    return true;
  }
}
