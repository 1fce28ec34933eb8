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
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { type EventConditions, conditionsOf, type EventFilter, type LogOrganization, scopeCondition } from './event-filter.js';

/** Sort orders by position: newest first, oldest first. */
export const EVENT_SORTS = ['-position', 'position'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

const COLUMNS = 'e.position, e.payload, e.chain_hash AS "chainHash", e.redacted_at AS "redactedAt"';
const EVENT_ROW = row({
  position: column.digits(),
  payload: column.text(),
  chainHash: column.nullable(column.bytes()),
  redactedAt: column.nullable(column.timestamp()),
});
const BOUNDS_ROW = row({ head: column.digits(), dropped: column.digits() });
const COUNT_ROW = row({ count: column.integer() });

export type LoggedEvent = RowOf<typeof EVENT_ROW>;

/** The next events of a log that match a filter, up to the position `reachedPosition`. */
export interface EventBatch {
  readonly events: readonly LoggedEvent[];
  readonly reachedPosition: bigint;
  readonly hasMore: boolean;
}

/** Maximum count of the events before a page. If there are more events, the page number is a lower bound. */
const MAX_EXACT_PRECEDING = 10_000;
const MAX_CACHED_COUNTS = 1_000;

/** Reads the events of organizations in the order of their positions. */
@Injectable()
export class EventLogQuery extends BaseQuery {
  /** Cached numbers of matching events up to a position. Later requests count only the events after the position. */
  private readonly counts = new LRUCache<string, { upToPosition: bigint; count: number }>({ max: MAX_CACHED_COUNTS });

  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns a page of events. @throws InvalidCursor, CursorGone (400) */
  async list(
    ctx: RequestContext,
    organization: LogOrganization,
    filter: EventFilter,
    request: PageRequest,
    sort: EventSort = '-position',
  ): Promise<Page<LoggedEvent>> {
    const conditions = conditionsOf(organization, filter);
    const { where, parameters } = conditions;
    const cursor = request.after === undefined ? undefined : await this.getPosition(ctx, organization, request.after);
    const [after, direction] = sort === 'position' ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = await this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e WHERE ${where}${cursor === undefined ? '' : ` AND e.position ${after} ${cursor}`}
       ORDER BY e.position ${direction} LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`,
      parameters,
      { connection: 'replica' },
    );
    const total = await this.count(ctx, organization.tenantId, conditions);
    return pageOf(request, rows, total, await this.countPreceding(ctx, conditions, request, cursor, sort));
  }

  /** Returns an event of the organization or one of its descendants, or null. */
  async find(ctx: RequestContext, organization: LogOrganization, id: string): Promise<LoggedEvent | null> {
    if (!isId('event', id)) return null;
    const parameters: unknown[] = [organization.tenantId, id];
    const scope = scopeCondition(organization, true, (value) => `$${parameters.push(value)}`);
    const [event] = await this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e
       WHERE e.tenant_id = $1 AND e.id = $2 AND e.position IS NOT NULL${scope ? ` AND ${scope}` : ''}`,
      parameters,
    );
    return event ?? null;
  }

  /**
   * Returns the position of an event. The error does not reveal whether the event exists in another organization.
   * @throws InvalidCursor (400) if `id` is no event ID
   * @throws CursorGone (400) if the log has no such event
   */
  async getPosition(ctx: RequestContext, organization: LogOrganization, id: string): Promise<bigint> {
    if (!isId('event', id)) throw new InvalidCursor('event');
    const event = await this.find(ctx, organization, id);
    if (!event) throw new CursorGone(CURSOR_GONE);
    return BigInt(event.position);
  }

  /** Returns the last position of a tenant (`head`) and the last position that retention deleted (`dropped`). */
  async getBounds(ctx: RequestContext, tenantId: string): Promise<{ head: bigint; dropped: bigint }> {
    const [stream] = await this.query(
      ctx,
      BOUNDS_ROW,
      `SELECT last_position AS head, (SELECT coalesce(max(to_position), 0) FROM event_anchors WHERE tenant_id = $1) AS dropped
       FROM event_streams WHERE tenant_id = $1`,
      [tenantId],
    );
    return { head: BigInt(stream?.head ?? 0), dropped: BigInt(stream?.dropped ?? 0) };
  }

  async listAfter(
    ctx: RequestContext,
    organization: LogOrganization,
    filter: EventFilter,
    afterPosition: bigint,
    limit: number,
  ): Promise<EventBatch> {
    // Events up to `head` are committed, so the query below misses no event.
    const { head } = await this.getBounds(ctx, organization.tenantId);
    if (head <= afterPosition) return { events: [], reachedPosition: afterPosition, hasMore: false };
    const { where, parameters } = conditionsOf(organization, filter);
    const [after, upTo] = [parameters.length + 1, parameters.length + 2];
    const events = await this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e WHERE ${where} AND e.position > $${after}::bigint AND e.position <= $${upTo}::bigint
       ORDER BY e.position LIMIT ${limit}`,
      [...parameters, afterPosition.toString(), head.toString()],
    );
    const last = events.length === limit ? events.at(-1) : undefined;
    return { events, reachedPosition: last ? BigInt(last.position) : head, hasMore: last !== undefined };
  }

  private async count(ctx: RequestContext, tenantId: string, { where, parameters }: EventConditions): Promise<number> {
    const { head, dropped } = await this.getBounds(ctx, tenantId);
    // `dropped` is part of the key, so that counting starts over after retention deleted events.
    const key = JSON.stringify([where, parameters, dropped.toString()]);
    const cached = this.counts.get(key);
    // A concurrent request may have counted up to a higher position.
    if (cached && cached.upToPosition >= head) return cached.count;
    const [added] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT count(*)::int AS count FROM events e
       WHERE ${where} AND e.position <= ${head}${cached ? ` AND e.position > ${cached.upToPosition}` : ''}`,
      parameters,
      { connection: 'replica' },
    );
    const count = (cached?.count ?? 0) + (added?.count ?? 0);
    this.counts.set(key, { upToPosition: head, count });
    return count;
  }

  private async countPreceding(
    ctx: RequestContext,
    { where, parameters }: EventConditions,
    request: PageRequest,
    cursor: bigint | undefined,
    sort: EventSort,
  ): Promise<number> {
    if (cursor === undefined) return offsetOf(request);
    const [preceding] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT count(*)::int AS count FROM (
         SELECT FROM events e WHERE ${where} AND e.position ${sort === 'position' ? '<=' : '>='} ${cursor} LIMIT ${MAX_EXACT_PRECEDING + 1}
       ) before`,
      parameters,
      { connection: 'replica' },
    );
    return preceding?.count ?? 0;
  }
}

export const CURSOR_GONE =
  'The event of this cursor is not in this event log, or its retention period has ended. Start again without a cursor.';
