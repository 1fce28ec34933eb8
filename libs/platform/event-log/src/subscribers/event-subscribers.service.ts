import { Injectable, Logger } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { EventSubscribers, type EventType } from '#platform/events';
import type { EventSubscriberCursor } from './event-subscriber-cursor.entity.js';
import { EventSubscriberCursorRepository } from './event-subscriber-cursor.repository.js';
import { EventSubscriberNotStopped, OnlyForOperators } from './event-subscriber-errors.js';
import { SubscriberCursorQuery } from './subscriber-cursor.query.js';

const MAX_LISTED_STOPPED = 100;

export interface SubscriberState {
  readonly name: string;
  readonly types: readonly EventType[];
  readonly waitingEvents: number;
  readonly lagSeconds: number;
  readonly stoppedCount: number;
  /** The stopped cursors, longest stopped first, at most 100. */
  readonly stopped: readonly EventSubscriberCursor[];
}

/** Lists the durable event handlers for operators, and resumes stopped ones. */
@Injectable()
export class EventSubscribersService {
  private readonly logger = new Logger(EventSubscribersService.name);

  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly cursors: EventSubscriberCursorRepository,
    private readonly subscriberCursor: SubscriberCursorQuery,
  ) {}

  /** Returns all durable event handlers. @throws OnlyForOperators (403) */
  async list(ctx: RequestContext): Promise<SubscriberState[]> {
    assertOperator(ctx);
    const backlogs = new Map((await this.subscriberCursor.listBacklogs(ctx)).map((backlog) => [backlog.subscriber, backlog]));
    // A handler that was removed from the code can still have stopped cursors.
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
          stopped: backlog?.stopped ? await this.cursors.listStopped(ctx, name, MAX_LISTED_STOPPED) : [],
        };
      }),
    );
  }

  /**
   * Resumes a stopped handler for a tenant, with the failed event or with the next event.
   * @throws OnlyForOperators (403), ResourceNotFound (404), EventSubscriberNotStopped (409)
   */
  async resume(
    ctx: RequestContext,
    subscriber: string,
    { tenantId, skipsEvent }: { readonly tenantId: string; readonly skipsEvent: boolean },
  ): Promise<void> {
    assertOperator(ctx);
    if (!(await this.cursors.resume(ctx, tenantId, subscriber, skipsEvent))) throw await this.errorOf(ctx, subscriber);
    const from = skipsEvent ? 'after the event that failed' : 'with the event that failed';
    this.logger.log({ tenantId, callerId: ctx.caller.id }, `The event subscriber ${subscriber} was resumed ${from}.`);
  }

  private async errorOf(ctx: RequestContext, subscriber: string): Promise<Error> {
    const isKnown = this.subscribers.durable.has(subscriber) || (await this.cursors.isStopped(ctx, subscriber));
    return isKnown ? new EventSubscriberNotStopped(subscriber) : new ResourceNotFound('event_subscriber', subscriber);
  }
}

function assertOperator({ caller }: RequestContext): void {
  if (caller.kind !== 'platform') throw new OnlyForOperators();
}
