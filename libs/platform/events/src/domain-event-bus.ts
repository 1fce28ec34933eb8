import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { Notifications, TransactionRunner } from '#platform/database';
import type { EventData, EventType } from './catalog.js';
import { type EventPayload, eventPayload } from './event-payload.js';
import { EventStreamRepository } from './outbox/event-stream.repository.js';
import type { OutboxEvent } from './outbox/outbox-event.entity.js';
import { OutboxRepository } from './outbox/outbox.repository.js';
import { payloadDigests } from './payload-digests.js';
import { EventSubscribers } from './subscribers/event-subscribers.js';

/** The PostgreSQL channel that wakes the relays. The payload is the tenant's ID. */
export const OUTBOX_CHANNEL = 'outbox';

/** The organization of an event. The relay finds the webhooks by this organization, and the payload contains its name. */
export type EventOrganization = Pick<OrganizationScope, 'id' | 'tenantId' | 'name' | 'ancestorIds'>;

/**
 * Publishes domain events. Writes events to the outbox in the transaction of the change, so that change and event commit together.
 * Calls the methods with `@OnDomainEvent`.
 */
@Injectable()
export class DomainEventBus {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly eventStreams: EventStreamRepository,
    private readonly subscribers: EventSubscribers,
    private readonly transactions: TransactionRunner,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /**
   * Publishes an event. Webhooks receive it after the commit. `userId` is the user that the event is about, for filters of the event log.
   * @throws Error outside a transaction, because change and event could not commit together
   */
  async publish<T extends EventType>(
    ctx: RequestContext,
    type: T,
    organization: EventOrganization,
    data: EventData<T>,
    { userId }: { userId?: string } = {},
  ): Promise<void> {
    await this.publishAll(ctx, type, organization, [{ data, userId }]);
  }

  /**
   * Publishes events of one type with one statement, in the order of `occurrences`.
   * @throws Error outside a transaction, because changes and events could not commit together
   */
  async publishAll<T extends EventType>(
    ctx: RequestContext,
    type: T,
    organization: EventOrganization,
    occurrences: readonly { data: EventData<T>; userId?: string | undefined }[],
  ): Promise<void> {
    if (!ctx.transaction) throw new Error(`${type} must be published in the transaction of its change.`);
    if (occurrences.length === 0) return;
    const occurredAt = this.clock.now();
    const events = occurrences.map(({ data, userId }) => ({
      payload: eventPayload(ctx, type, organization, data, occurredAt),
      userId,
    }));
    this.outbox.insertAll(
      ctx,
      events.map(({ payload, userId }) => newEvent(ctx, organization, payload, userId, occurredAt)),
    );
    this.transactions.afterCommit(ctx, () => this.notifications.notify(OUTBOX_CHANNEL, organization.tenantId));
    await this.subscribers.dispatch(
      ctx,
      organization.tenantId,
      type,
      events.map(({ payload }) => payload),
    );
  }

  /** Creates the event stream of a new tenant. The tenant ID is the ID of the root organization. @throws Error outside a transaction */
  createStream(ctx: RequestContext, tenantId: string): void {
    this.eventStreams.insert(ctx, tenantId);
  }
}

function newEvent(
  ctx: RequestContext,
  organization: EventOrganization,
  payload: EventPayload,
  userId: string | undefined,
  occurredAt: Date,
): OutboxEvent {
  return {
    id: payload.id,
    tenantId: organization.tenantId,
    type: payload.type,
    organizationId: organization.id,
    parentOrganizationId: organization.ancestorIds.at(-1) ?? null,
    ancestorIds: organization.ancestorIds,
    userId: userId ?? null,
    actorType: ctx.actor.type,
    actorId: ctx.actor.id ?? null,
    impersonatorId: ctx.actor.impersonator?.id ?? null,
    payload: JSON.stringify(payload),
    payloadDigest: payloadDigests(payload).payload,
    occurredAt,
    traceparent: ctx.traceparent ?? null,
  };
}
