import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { EventType } from '#platform/events';
import type { DeliveredEvent, Message } from './destination.js';

/**
 * Whether a delivery is sent now. `in_order`: when all earlier deliveries to the receiver have ended. `wait`: when the receiver allows
 * deliveries again. `skip`: never.
 */
export type Admission = 'now' | 'in_order' | 'wait' | 'skip';

/** Where a receiver gets its messages, and how events become messages. */
export interface ReceiverTarget {
  readonly url: string;
  /** Returns undefined if the receiver does not want the event. The delivery is then skipped. */
  readonly encode: (event: DeliveredEvent) => Message | undefined | Promise<Message | undefined>;
  /** Says when deliveries of events of a type are sent. Without it, each delivery is sent when it is due. */
  readonly admit?: (eventType: string) => Admission;
  /** Which waiting deliveries the sweeper makes due: all (the default), only the oldest, because they are sent in order, or none. */
  readonly releases?: 'all' | 'oldest' | 'none';
  /** Returns whether a response rejects the message for good, so that it is not sent again. */
  readonly isRejection?: (status: number, body: string) => boolean;
}

/** The properties of an event that decide which receivers get it. */
export interface ReceivableEvent {
  readonly id: string;
  /** Orders the event among all changes. */
  readonly seq: bigint;
  readonly type: EventType;
  readonly organizationId: string;
  readonly ancestorIds: readonly string[];
  readonly payload: string;
}

/** A receiver of an event. `waits`: the delivery is not due until the receiver allows deliveries, or until its turn. */
export interface EventReceiver {
  readonly eventId: string;
  readonly receiverId: string;
  readonly waits: boolean;
}

/** The id of a receiver with the tenant of its deliveries. */
export interface ReceiverKey {
  readonly tenantId: string;
  readonly id: string;
}

/**
 * Receivers of events beside webhooks. Their ids take the place of the ids of webhooks in deliveries, so that the relay, the queue, the
 * attempts, the retries and the history work as for webhooks.
 */
export interface ReceiverKind {
  /** The prefix of the ids, which no other kind has. */
  readonly idPrefix: string;
  /** The types of events that have receivers of this kind. */
  readonly eventTypes: ReadonlySet<EventType>;
  /**
   * Returns the receivers of events of these types, in the order of the events. The relay calls it in its transaction, and only for batches
   * with such events.
   */
  receiversOf(
    ctx: RequestContext,
    tenantId: string,
    events: readonly ReceivableEvent[],
  ): readonly EventReceiver[] | Promise<readonly EventReceiver[]>;
  /** Returns the targets by id. A delivery to a receiver without a target is skipped. */
  findTargets(ctx: RequestContext, keys: readonly ReceiverKey[]): Promise<ReadonlyMap<string, ReceiverTarget>>;
}

/** Higher libraries register their kinds of receivers here when their modules start. */
@Injectable()
export class ReceiverKinds {
  private readonly kinds: ReceiverKind[] = [];

  register(kind: ReceiverKind): void {
    this.kinds.push(kind);
  }

  /** Returns the receivers of a batch of events. */
  async receiversOf(ctx: RequestContext, tenantId: string, events: readonly ReceivableEvent[]): Promise<EventReceiver[]> {
    const receivers: EventReceiver[] = [];
    for (const kind of this.kinds) {
      const received = events.filter(({ type }) => kind.eventTypes.has(type));
      if (received.length > 0) receivers.push(...(await kind.receiversOf(ctx, tenantId, received)));
    }
    return receivers;
  }

  /** Returns whether an id is of a receiver that is no webhook. */
  includes(id: string): boolean {
    return this.kinds.some(({ idPrefix }) => id.startsWith(idPrefix));
  }

  async findTargets(ctx: RequestContext, keys: readonly ReceiverKey[]): Promise<ReadonlyMap<string, ReceiverTarget>> {
    const distinct = [...new Map(keys.map((key) => [key.id, key])).values()];
    const found = await Promise.all(
      this.kinds.map(async (kind) => {
        const own = distinct.filter(({ id }) => id.startsWith(kind.idPrefix));
        return own.length === 0 ? [] : kind.findTargets(ctx, own);
      }),
    );
    return new Map(found.flatMap((targets) => [...targets]));
  }
}
