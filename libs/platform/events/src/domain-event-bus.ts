import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { Notifications, TransactionRunner } from '#platform/database';
import type { EventData, EventType } from './catalogue.js';
import { type EventPayload, eventPayload } from './event-payload.js';
import { type NewEvent, OutboxRepository } from './outbox.repository.js';
import { payloadDigests } from './payload-digests.js';
import { EventSubscribers } from './subscribers/event-subscribers.js';

/** The channel on which relays hear that there are new events; the payload is the tenant's id. */
export const OUTBOX_CHANNEL = 'outbox';

/** Where an event happened: what the relay needs to find its webhooks, and receivers to name it. */
export type EventOrganization = Pick<OrganizationScope, 'id' | 'tenantId' | 'name' | 'ancestorIds'>;

/**
 * Publishes domain events: writes them into the outbox in the transaction of the change, so that neither is ever without the other, and
 * calls the methods with `@OnDomainEvent`.
 */
@Injectable()
export class DomainEventBus {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly subscribers: EventSubscribers,
    private readonly transactions: TransactionRunner,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes one event; webhooks get it once the transaction has committed. `userId` names whom it is about, for filters.
   * @throws Error outside a transaction, since the change might then stand without its event.
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
   * Writes many events of one type, in their order: for changes made in bulk.
   * @throws Error outside a transaction, since the changes might then stand without their events.
   */
  async publishAll<T extends EventType>(
    ctx: RequestContext,
    type: T,
    organization: EventOrganization,
    happened: readonly { data: EventData<T>; userId?: string | undefined }[],
  ): Promise<void> {
    if (!ctx.transaction) throw new Error(`${type} must be published in the transaction of its change.`);
    if (happened.length === 0) return;
    const at = this.clock.now();
    const events = happened.map(({ data, userId }) => ({ payload: eventPayload(ctx, type, organization, data, at), userId }));
    this.outbox.insertAll(
      ctx,
      events.map(({ payload, userId }) => newEvent(ctx, organization, payload, userId, at)),
    );
    this.transactions.afterCommit(ctx, () => this.notifications.notify(OUTBOX_CHANNEL, organization.tenantId));
    await this.subscribers.dispatch(
      ctx,
      organization.tenantId,
      type,
      events.map(({ payload }) => payload),
    );
  }

  /** Opens the event stream of a new tenant; once, with its root organization. */
  async openStream(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.outbox.insertStream(ctx, tenantId);
  }
}

function newEvent(
  ctx: RequestContext,
  organization: EventOrganization,
  payload: EventPayload,
  userId: string | undefined,
  at: Date,
): NewEvent {
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
    payload: JSON.stringify(payload),
    payloadDigest: payloadDigests(payload).payload,
    occurredAt: at,
    traceparent: ctx.traceparent,
  };
}
