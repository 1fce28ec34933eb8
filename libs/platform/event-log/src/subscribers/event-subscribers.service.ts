import { Injectable, Logger } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { EventSubscribers, type EventType } from '#platform/events';
import type { EventSubscriberCursor } from './event-subscriber-cursor.entity.js';
import { EventSubscriberCursorRepository } from './event-subscriber-cursor.repository.js';
import { EventSubscriberNotStopped, OnlyForOperators } from './event-subscriber-errors.js';

const SHOWN_STOPPED = 100;

/** A durable event handler with what waits for it. */
export interface SubscriberState {
  readonly name: string;
  readonly types: readonly EventType[];
  readonly waitingEvents: number;
  readonly lagSeconds: number;
  readonly stoppedCount: number;
  /** The first of them. */
  readonly stopped: readonly EventSubscriberCursor[];
}

/** Shows operators the durable event handlers, and lets stopped ones go on. */
@Injectable()
export class EventSubscribersService {
  private readonly logger = new Logger(EventSubscribersService.name);

  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly cursors: EventSubscriberCursorRepository,
  ) {}

  /** @throws OnlyForOperators (403) */
  async list(ctx: RequestContext): Promise<SubscriberState[]> {
    demandOperator(ctx);
    const backlogs = new Map((await this.cursors.backlog(ctx)).map((backlog) => [backlog.subscriber, backlog]));
    // A handler that was removed from the code can leave stopped cursors behind.
    const names = [...new Set([...this.subscribers.durable.keys(), ...backlogs.keys()])].toSorted();
    return Promise.all(
      names.map(async (name) => {
        const backlog = backlogs.get(name);
        return {
          name,
          types: this.subscribers.durable.get(name)?.types ?? [],
          waitingEvents: backlog?.events ?? 0,
          lagSeconds: backlog?.oldestDueSeconds ?? 0,
          stoppedCount: backlog?.stopped ?? 0,
          stopped: backlog?.stopped ? await this.cursors.stopped(ctx, name, SHOWN_STOPPED) : [],
        };
      }),
    );
  }

  /**
   * Lets a stopped handler go on for a tenant: with the event that failed, or with the one after it.
   * @throws OnlyForOperators (403), ResourceNotFound (404), EventSubscriberNotStopped (409)
   */
  async resume(
    ctx: RequestContext,
    subscriber: string,
    { tenantId, skipsEvent }: { readonly tenantId: string; readonly skipsEvent: boolean },
  ): Promise<void> {
    demandOperator(ctx);
    if (!(await this.cursors.resume(ctx, tenantId, subscriber, skipsEvent))) throw await this.notResumed(ctx, subscriber);
    const from = skipsEvent ? 'after the event that failed' : 'with the event that failed';
    this.logger.log({ tenantId, callerId: ctx.caller.id }, `The event subscriber ${subscriber} was resumed ${from}.`);
  }

  private async notResumed(ctx: RequestContext, subscriber: string): Promise<Error> {
    const isKnown = this.subscribers.durable.has(subscriber) || (await this.cursors.isStoppedSomewhere(ctx, subscriber));
    return isKnown ? new EventSubscriberNotStopped(subscriber) : new ResourceNotFound('event_subscriber', subscriber);
  }
}

function demandOperator({ caller }: RequestContext): void {
  if (caller.kind !== 'platform') throw new OnlyForOperators();
}
