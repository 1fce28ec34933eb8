import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { EventType } from '#platform/events';
import type { DeliveredEvent, Message } from './destination.js';

/** Where a receiver gets its messages, and how events become messages. */
export interface ReceiverTarget {
  readonly url: string;
  readonly encode: (event: DeliveredEvent) => Message | Promise<Message>;
}

/**
 * Receivers of events beside webhooks. Their ids take the place of the ids of webhooks in deliveries, so that the relay, the queue, the
 * attempts, the retries and the history work as for webhooks.
 */
export interface ReceiverKind {
  /** The prefix of the ids, which no other kind has. */
  readonly idPrefix: string;
  /** Returns the ids of the receivers of an event. Must read nothing, because the relay calls it for every event in its transaction. */
  receiversOf(event: { readonly type: EventType; readonly payload: string }): readonly string[];
  /** Returns the targets by id. A delivery to a receiver without a target is skipped. */
  findTargets(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, ReceiverTarget>>;
}

/** Higher libraries register their kinds of receivers here when their modules start. */
@Injectable()
export class ReceiverKinds {
  private readonly kinds: ReceiverKind[] = [];

  register(kind: ReceiverKind): void {
    this.kinds.push(kind);
  }

  receiversOf(event: Parameters<ReceiverKind['receiversOf']>[0]): string[] {
    return this.kinds.flatMap((kind) => kind.receiversOf(event));
  }

  /** Returns whether an id is of a receiver that is no webhook. */
  includes(id: string): boolean {
    return this.kinds.some(({ idPrefix }) => id.startsWith(idPrefix));
  }

  async findTargets(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, ReceiverTarget>> {
    const found = await Promise.all(
      this.kinds.map(async (kind) => {
        const own = ids.filter((id) => id.startsWith(kind.idPrefix));
        return own.length === 0 ? [] : kind.findTargets(ctx, [...new Set(own)]);
      }),
    );
    return new Map(found.flatMap((targets) => [...targets]));
  }
}
