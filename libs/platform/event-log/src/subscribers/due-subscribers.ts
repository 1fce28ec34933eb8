import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { EventSubscribers, type EventType } from '#platform/events';
import { SubscriberCursorQuery } from './subscriber-cursor.query.js';

/** Makes durable event handlers due when a relay assigns positions to events of their types. */
@Injectable()
export class DueSubscribers {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriberCursor: SubscriberCursorQuery,
  ) {}

  /**
   * Makes the handlers of `events` due, in the transaction that assigns the positions of the events. `lastPosition` is the position
   * before the first event.
   */
  async makeDue(
    ctx: RequestContext,
    tenantId: string,
    events: readonly { readonly type: EventType }[],
    lastPosition: bigint,
  ): Promise<void> {
    const types = new Set(events.map(({ type }) => type));
    const due = [...this.subscribers.durable.values()].filter((subscriber) => subscriber.types.some((type) => types.has(type)));
    if (due.length === 0) return;
    const names = due.map(({ name }) => name);
    await this.subscriberCursor.makeDue(ctx, tenantId, names, {
      position: lastPosition,
      head: lastPosition + BigInt(events.length),
    });
  }
}
