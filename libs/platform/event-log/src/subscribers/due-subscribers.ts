import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { EventSubscribers, type EventType } from '#platform/events';
import { EventSubscriberCursorRepository } from './event-subscriber-cursor.repository.js';

/** Makes durable event handlers due when a relay numbers events that they want. */
@Injectable()
export class DueSubscribers {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly cursors: EventSubscriberCursorRepository,
  ) {}

  /** In the transaction that gave the events their positions; `lastPosition` is that of the event before them. */
  async note(
    ctx: RequestContext,
    tenantId: string,
    events: readonly { readonly type: EventType }[],
    lastPosition: bigint,
  ): Promise<void> {
    const types = new Set(events.map(({ type }) => type));
    const due = [...this.subscribers.durable.values()].filter((subscriber) => subscriber.types.some((type) => types.has(type)));
    if (due.length === 0) return;
    const names = due.map(({ name }) => name);
    await this.cursors.makeDue(ctx, tenantId, names, { position: lastPosition, head: lastPosition + BigInt(events.length) });
  }
}
