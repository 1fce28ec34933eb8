import { Injectable } from '@nestjs/common';
import { Clock, CursorGone, DomainError, type RequestContext } from '#platform/common';
import type { AuthorizeAgain } from '#platform/http';
import type { EventFilter, LogOrganization } from '../reading/event-filter.js';
import { CURSOR_GONE, EventLogQuery } from '../reading/event-log.query.js';
import { EventResponse } from '../reading/event-log.responses.js';
import { EventWakeups } from './event-wakeups.js';

const EVENTS_PER_BATCH = 100;
/** Fallback for lost notifications. An idle stream of a revoked API key ends within this time. */
const POLL_INTERVAL_MS = 2_000;
const AUTHORIZATION_INTERVAL_MS = 1_000;
const HEARTBEAT_INTERVAL_MS = 10_000;
/** Time after which a client reconnects, in milliseconds. */
const RECONNECT_DELAY_MS = 1_000;

export interface FollowedLog {
  readonly organization: LogOrganization;
  readonly filter: EventFilter;
  /** Position of the last event that the client received. */
  readonly fromPosition: bigint;
  /** @throws DomainError if the caller no longer has access */
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
   * Returns the position after which a stream starts. `cursor` is the ID of an event or a position. Without `cursor`, the stream starts
   * at `filter.since`. Without `filter.since`, the stream starts with the next new event.
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
    // A position is after the end if a restored backup lacks the client's last events.
    if (position < dropped || position > head) throw new CursorGone(CURSOR_GONE);
    return position;
  }

  /** Yields the parts of the stream. Ends when `ending` is aborted, after `until`, or when the caller loses access. */
  async *follow(ctx: RequestContext, followed: FollowedLog): AsyncGenerator<string> {
    const wakeup = this.wakeups.subscribe(followed.organization.tenantId);
    const wake = () => wakeup.wake();
    followed.ending.addEventListener('abort', wake);
    try {
      yield* this.parts(ctx, followed, wakeup);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    } finally {
      followed.ending.removeEventListener('abort', wake);
      wakeup.close();
    }
  }

  private async *parts(ctx: RequestContext, followed: FollowedLog, wakeup: { next(timeoutMs: number): Promise<void> }) {
    const { organization, filter, ending } = followed;
    let reached = followed.fromPosition;
    let [authorizedAt, sentAt] = [performance.now(), performance.now()];
    // Sent first, so that a client that loses the connection before the first event can continue without a gap.
    yield `retry: ${RECONNECT_DELAY_MS}\n${mark(reached)}`;
    while (!ending.aborted) {
      if (performance.now() - authorizedAt >= AUTHORIZATION_INTERVAL_MS) {
        await followed.authorizeAgain();
        authorizedAt = performance.now();
      }
      const isLast = filter.until !== undefined && this.clock.now() >= filter.until;
      const { events, reachedPosition, hasMore } = await this.eventLog.listAfter(
        ctx,
        organization,
        filter,
        reached,
        EVENTS_PER_BATCH,
      );
      reached = reachedPosition;
      if (events.length > 0) yield events.map((event) => message(EventResponse.from(event))).join('');
      else if (performance.now() - sentAt >= HEARTBEAT_INTERVAL_MS) yield `:\n${mark(reached)}`;
      else {
        if (hasMore) continue;
        if (isLast) return;
        await wakeup.next(POLL_INTERVAL_MS);
        continue;
      }
      sentAt = performance.now();
    }
  }
}

/** Returns a message that sets the client's last event ID without an event. A reconnecting client continues at this position. */
const mark = (position: bigint): string => `id: ${position}\n\n`;

const message = (event: EventResponse): string => `id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`;
