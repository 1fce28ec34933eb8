import { Injectable } from '@nestjs/common';
import {
  CursorGone,
  InvalidCursor,
  isId,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
} from '#platform/common';
import { SqlRepository } from '#platform/database';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { type EventConditions, conditionsOf, type EventFilter, type LogPlace, scopeCondition } from './event-filter.js';

/** Newest first, or oldest first: in the order of positions, either way. */
export const EVENT_SORTS = ['-position', 'position'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** An event as the log has it. */
export interface LoggedEvent {
  readonly position: string;
  readonly payload: string;
  readonly chainHash: Buffer | null;
  readonly redactedAt: Date | null;
}

/** A stretch of a log: its events, and the position up to which there are no others. */
export interface EventStretch {
  readonly events: readonly LoggedEvent[];
  readonly reachedPosition: bigint;
  /** Whether there may be more right away. */
  readonly more: boolean;
}

/** Beyond it, the number of a page is a lower bound. */
const MAX_EXACT_PRECEDING = 10_000;
const COUNTS_KEPT = 1_000;
const COLUMNS = 'e.position, e.payload, e.chain_hash AS "chainHash", e.redacted_at AS "redactedAt"';

/** Reads the events of organizations, in the order of their positions. */
@Injectable()
export class EventLogRead extends SqlRepository {
  /** Numbered events never change their number: what was counted once needs to be counted on from there only. */
  private readonly counts = new LRUCache<string, { upToPosition: bigint; count: number }>({ max: COUNTS_KEPT });

  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** @throws InvalidCursor, CursorGone (400) */
  async list(
    ctx: RequestContext,
    place: LogPlace,
    filter: EventFilter,
    request: PageRequest,
    sort: EventSort = '-position',
  ): Promise<Page<LoggedEvent>> {
    const conditions = conditionsOf(place, filter);
    const { where, parameters } = conditions;
    const cursor = request.after === undefined ? undefined : await this.positionOf(ctx, place, request.after);
    const [after, direction] = sort === 'position' ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = await this.queryList<LoggedEvent>(
      ctx,
      `SELECT ${COLUMNS} FROM events e WHERE ${where}${cursor === undefined ? '' : ` AND e.position ${after} ${cursor}`}
       ORDER BY e.position ${direction} LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`,
      parameters,
    );
    const total = await this.total(ctx, place, conditions);
    return pageOf(request, rows, total, await this.preceding(ctx, conditions, request, cursor, sort));
  }

  /** The event with this id, of the organization or one below it. */
  async find(ctx: RequestContext, place: LogPlace, id: string): Promise<LoggedEvent | null> {
    if (!isId('event', id)) return null;
    const parameters: unknown[] = [place.tenantId, id];
    const scope = scopeCondition(place, true, (value) => `$${parameters.push(value)}`);
    const [event] = await this.query<LoggedEvent>(
      ctx,
      `SELECT ${COLUMNS} FROM events e
       WHERE e.tenant_id = $1 AND e.id = $2 AND e.position IS NOT NULL${scope ? ` AND ${scope}` : ''}`,
      parameters,
    );
    return event ?? null;
  }

  /**
   * The position of the last event seen, by its id. What is out of reach is answered as what is gone.
   * @throws InvalidCursor when it is no event id; CursorGone when there is no such event (any more)
   */
  async positionOf(ctx: RequestContext, place: LogPlace, id: string): Promise<bigint> {
    if (!isId('event', id)) throw new InvalidCursor('event');
    const event = await this.find(ctx, place, id);
    if (!event) throw new CursorGone(EVENT_IS_GONE);
    return BigInt(event.position);
  }

  /** The last position given in a tenant, and the last of those that retention removed. */
  async bounds(ctx: RequestContext, tenantId: string): Promise<{ head: bigint; dropped: bigint }> {
    const [stream] = await this.query<{ head: string; dropped: string }>(
      ctx,
      `SELECT last_position AS head, (SELECT coalesce(max(to_position), 0) FROM event_anchors WHERE tenant_id = $1) AS dropped
       FROM event_streams WHERE tenant_id = $1`,
      [tenantId],
    );
    return { head: BigInt(stream?.head ?? 0), dropped: BigInt(stream?.dropped ?? 0) };
  }

  /** The next events after a position, oldest first. */
  async stretch(
    ctx: RequestContext,
    place: LogPlace,
    filter: EventFilter,
    afterPosition: bigint,
    limit: number,
  ): Promise<EventStretch> {
    // Read before the events are: up to here, all are committed.
    const { head } = await this.bounds(ctx, place.tenantId);
    if (head <= afterPosition) return { events: [], reachedPosition: afterPosition, more: false };
    const { where, parameters } = conditionsOf(place, filter);
    const events = await this.query<LoggedEvent>(
      ctx,
      `SELECT ${COLUMNS} FROM events e WHERE ${where} AND e.position > ${afterPosition} AND e.position <= ${head}
       ORDER BY e.position LIMIT ${limit}`,
      parameters,
    );
    const more = events.length === limit;
    return { events, reachedPosition: more ? BigInt(events.at(-1)!.position) : head, more };
  }

  private async total(ctx: RequestContext, place: LogPlace, { where, parameters }: EventConditions): Promise<number> {
    const { head, dropped } = await this.bounds(ctx, place.tenantId);
    // After retention has removed some, all is counted anew.
    const key = JSON.stringify([where, parameters, dropped.toString()]);
    const known = this.counts.get(key);
    // Others may have counted further meanwhile.
    if (known && known.upToPosition >= head) return known.count;
    const [row] = await this.queryList<{ count: number }>(
      ctx,
      `SELECT count(*)::int AS count FROM events e
       WHERE ${where} AND e.position <= ${head}${known ? ` AND e.position > ${known.upToPosition}` : ''}`,
      parameters,
    );
    const count = (known?.count ?? 0) + row!.count;
    this.counts.set(key, { upToPosition: head, count });
    return count;
  }

  private async preceding(
    ctx: RequestContext,
    { where, parameters }: EventConditions,
    request: PageRequest,
    cursor: bigint | undefined,
    sort: EventSort,
  ): Promise<number> {
    if (cursor === undefined) return offsetOf(request);
    const [row] = await this.queryList<{ preceding: number }>(
      ctx,
      `SELECT count(*)::int AS preceding FROM (
         SELECT FROM events e WHERE ${where} AND e.position ${sort === 'position' ? '<=' : '>='} ${cursor} LIMIT ${MAX_EXACT_PRECEDING + 1}
       ) before`,
      parameters,
    );
    return row!.preceding;
  }
}

export const EVENT_IS_GONE =
  'The event of this cursor is not in this event log, or its retention period has ended. Start again without a cursor.';
