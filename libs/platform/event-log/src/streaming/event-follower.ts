import { Injectable } from '@nestjs/common';
import { Clock, CursorGone, DomainError, type RequestContext } from '#platform/common';
import type { AuthorizeAgain } from '#platform/http';
import type { EventFilter, LogOrganization } from '../reading/event-filter.js';
import { CURSOR_GONE, EventLogQuery } from '../reading/event-log.query.js';
import { EventResponse } from '../reading/event-log.responses.js';
import { EventWakeups } from './event-wakeups.js';

const EVENTS_PER_BATCH = 100;
/** The net below the notifications, and how soon an idle stream of a revoked key ends. */
const POLL_INTERVAL_MS = 2_000;
const AUTHORIZED_FOR_MS = 1_000;
const HEARTBEAT_INTERVAL_MS = 10_000;
/** How long a client waits before it connects anew. */
const RECONNECT_MS = 1_000;

/** What a stream follows. */
export interface Followed {
  readonly organization: LogOrganization;
  readonly filter: EventFilter;
  /** The position of the last event that the client has seen. */
  readonly fromPosition: bigint;
  /** @throws DomainError when the caller may no longer follow */
  readonly authorizeAgain: AuthorizeAgain;
  readonly ending: AbortSignal;
}

/** Follows a log as server-sent events (WHATWG HTML, "Server-sent events"). */
@Injectable()
export class EventFollower {
  constructor(
    private readonly eventLog: EventLogQuery,
    private readonly wakeups: EventWakeups,
    private readonly clock: Clock,
  ) {}

  /**
   * Where a stream begins: after the cursor (an event's id, or a position as streams give it); without one, with what `since` asks for;
   * without either, with what is to come.
   * @throws InvalidCursor, CursorGone (400)
   */
  async startOf(
    ctx: RequestContext,
    organization: LogOrganization,
    filter: EventFilter,
    cursor: string | undefined,
  ): Promise<bigint> {
    if (cursor === undefined)
      return filter.since === undefined ? (await this.eventLog.getBounds(ctx, organization.tenantId)).head : 0n;
    if (!/^\d{1,18}$/.test(cursor)) return this.eventLog.getPosition(ctx, organization, cursor);
    const position = BigInt(cursor);
    const { head, dropped } = await this.eventLog.getBounds(ctx, organization.tenantId);
    // Beyond the end is who saw events that a restored backup lacks.
    if (position < dropped || position > head) throw new CursorGone(CURSOR_GONE);
    return position;
  }

  /** The text of the stream, in pieces; ends when it is told to, when `until` has passed, and when the caller may no longer follow. */
  async *follow(ctx: RequestContext, followed: Followed): AsyncGenerator<string> {
    const wakeup = this.wakeups.subscribe(followed.organization.tenantId);
    const wake = () => wakeup.say();
    followed.ending.addEventListener('abort', wake);
    try {
      yield* this.pieces(ctx, followed, wakeup);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    } finally {
      followed.ending.removeEventListener('abort', wake);
      wakeup.close();
    }
  }

  private async *pieces(ctx: RequestContext, followed: Followed, wakeup: { next(timeoutMs: number): Promise<void> }) {
    const { organization, filter, ending } = followed;
    let reached = followed.fromPosition;
    let [authorizedAt, saidAt] = [performance.now(), performance.now()];
    // At once, so that a client that loses the connection before the first event loses no event.
    yield `retry: ${RECONNECT_MS}\n${mark(reached)}`;
    while (!ending.aborted) {
      if (performance.now() - authorizedAt >= AUTHORIZED_FOR_MS) {
        await followed.authorizeAgain();
        authorizedAt = performance.now();
      }
      const isLast = filter.until !== undefined && this.clock.now() >= filter.until;
      const { events, reachedPosition, more } = await this.eventLog.listStretch(
        ctx,
        organization,
        filter,
        reached,
        EVENTS_PER_BATCH,
      );
      reached = reachedPosition;
      if (events.length > 0) yield events.map((event) => message(EventResponse.from(event))).join('');
      else if (performance.now() - saidAt >= HEARTBEAT_INTERVAL_MS) yield `:\n${mark(reached)}`;
      else {
        if (more) continue;
        if (isLast) return;
        await wakeup.next(POLL_INTERVAL_MS);
        continue;
      }
      saidAt = performance.now();
    }
  }
}

/** Sets the client's last event id without an event: it resumes from here, however few events its filters let through. */
const mark = (position: bigint): string => `id: ${position}\n\n`;

const message = (event: EventResponse): string => `id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`;
