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
const POSITION_ROW = row({ position: column.digits() });

export type LoggedEvent = RowOf<typeof EVENT_ROW>;

/** A page of events. `nextToPosition` is the position of the newest event that a search did not reach, if any. */
export interface EventPage extends Page<LoggedEvent> {
  readonly nextToPosition: bigint | null;
}

/** The next events of a log that match a filter, up to the position `reachedPosition`. */
export interface EventBatch {
  readonly events: readonly LoggedEvent[];
  readonly reachedPosition: bigint;
  readonly hasMore: boolean;
}

/** Maximum count of the events before a page. If there are more events, the page number is a lower bound. */
const MAX_EXACT_PRECEDING = 10_000;
const MAX_CACHED_COUNTS = 1_000;
/** Maximum number of events that one statement searches for words, or reads for a stream or an export: well below a second. */
export const MAX_SEARCHED = 50_000;

/** Reads the events of organizations in the order of their positions. */
@Injectable()
export class EventLogQuery extends BaseQuery {
  /** Cached numbers of matching events up to a position. Later requests count only the events after the position. */
  private readonly counts = new LRUCache<string, { upToPosition: bigint; count: number }>({ max: MAX_CACHED_COUNTS });

  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns a page of events. With words, searches the newest events only (`MAX_SEARCHED`). @throws InvalidCursor, CursorGone (400) */
  async list(
    ctx: RequestContext,
    organization: LogOrganization,
    filter: EventFilter,
    request: PageRequest,
    sort: EventSort = '-position',
  ): Promise<EventPage> {
    const isSearch = filter.words !== undefined && filter.words.length > 0;
    const nextToPosition = isSearch ? await this.findUnsearched(ctx, organization, filter) : null;
    const conditions = conditionsOf(organization, { ...filter, afterPosition: nextToPosition ?? undefined });
    const cursor = request.after === undefined ? undefined : await this.getPosition(ctx, organization, request.after);
    const rows = await this.listRows(ctx, conditions, request, cursor, sort);
    const offset = offsetOf(request);
    const isComplete = cursor === undefined && rows.length <= request.limit && (rows.length > 0 || offset === 0);
    const total = !isSearch
      ? await this.count(ctx, organization.tenantId, conditions)
      : isComplete
        ? offset + rows.length
        : await this.countMatches(ctx, conditions);
    const preceding = await this.countPreceding(ctx, conditions, request, cursor, sort);
    return { ...pageOf(request, rows, total, preceding), nextToPosition };
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

  /** Returns the next events after a position, of at most `MAX_SEARCHED` positions, so that a filter with few matches needs several reads. */
  async listAfter(
    ctx: RequestContext,
    organization: LogOrganization,
    filter: EventFilter,
    afterPosition: bigint,
    limit: number,
  ): Promise<EventBatch> {
    // Events up to `head` are committed, so the query below misses no event.
    const { head } = await this.getBounds(ctx, organization.tenantId);
    const end = filter.toPosition !== undefined && filter.toPosition < head ? filter.toPosition : head;
    if (end <= afterPosition) return { events: [], reachedPosition: afterPosition, hasMore: false };
    const lastRead = afterPosition + BigInt(MAX_SEARCHED);
    const toPosition = lastRead < end ? lastRead : end;
    const { where, parameters, prepared } = conditionsOf(organization, { ...filter, afterPosition, toPosition });
    const events = await this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e WHERE ${where} ORDER BY e.position LIMIT ${limit}`,
      parameters,
      { prepared },
    );
    const reachedPosition = events.length === limit ? BigInt(events.at(-1)!.position) : toPosition;
    return { events, reachedPosition, hasMore: reachedPosition < end };
  }

  private listRows(
    ctx: RequestContext,
    { where, parameters, prepared }: EventConditions,
    request: PageRequest,
    cursor: bigint | undefined,
    sort: EventSort,
  ): Promise<LoggedEvent[]> {
    const [after, direction] = sort === 'position' ? ['>', 'ASC'] : ['<', 'DESC'];
    const isAfterCursor = cursor === undefined ? '' : ` AND e.position ${after} $${parameters.length + 1}::bigint`;
    return this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e WHERE ${where}${isAfterCursor}
       ORDER BY e.position ${direction} LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`,
      cursor === undefined ? parameters : [...parameters, cursor.toString()],
      { connection: 'replica', prepared },
    );
  }

  /** Returns the position of the newest event that a search can't reach, because too many newer events match the rest of the filter. */
  private async findUnsearched(ctx: RequestContext, organization: LogOrganization, filter: EventFilter): Promise<bigint | null> {
    const { where, parameters } = conditionsOf(organization, { ...filter, words: [] });
    const [unsearched] = await this.query(
      ctx,
      POSITION_ROW,
      `SELECT e.position FROM events e WHERE ${where} ORDER BY e.position DESC LIMIT 1 OFFSET ${MAX_SEARCHED}`,
      parameters,
      { connection: 'replica', prepared: false },
    );
    return unsearched ? BigInt(unsearched.position) : null;
  }

  private async count(ctx: RequestContext, tenantId: string, conditions: EventConditions): Promise<number> {
    const { head, dropped } = await this.getBounds(ctx, tenantId);
    // `dropped` is part of the key, so that counting starts over after retention deleted events.
    const key = JSON.stringify([conditions.where, conditions.parameters, dropped.toString()]);
    const cached = this.counts.get(key);
    // A concurrent request may have counted up to a higher position.
    if (cached && cached.upToPosition >= head) return cached.count;
    const added = await this.countMatches(ctx, conditions, { after: cached?.upToPosition ?? 0n, upTo: head });
    const count = (cached?.count ?? 0) + added;
    this.counts.set(key, { upToPosition: head, count });
    return count;
  }

  private async countMatches(
    ctx: RequestContext,
    { where, parameters, prepared }: EventConditions,
    range?: { after: bigint; upTo: bigint },
  ): Promise<number> {
    const [after, upTo] = [parameters.length + 1, parameters.length + 2];
    const isInRange = range ? ` AND e.position > $${after}::bigint AND e.position <= $${upTo}::bigint` : '';
    const [counted] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT count(*)::int AS count FROM events e WHERE ${where}${isInRange}`,
      range ? [...parameters, range.after.toString(), range.upTo.toString()] : parameters,
      { connection: 'replica', prepared },
    );
    return counted?.count ?? 0;
  }

  private async countPreceding(
    ctx: RequestContext,
    { where, parameters, prepared }: EventConditions,
    request: PageRequest,
    cursor: bigint | undefined,
    sort: EventSort,
  ): Promise<number> {
    if (cursor === undefined) return offsetOf(request);
    const [preceding] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT count(*)::int AS count FROM (
         SELECT FROM events e WHERE ${where} AND e.position ${sort === 'position' ? '<=' : '>='} $${parameters.length + 1}::bigint
         LIMIT ${MAX_EXACT_PRECEDING + 1}
       ) before`,
      [...parameters, cursor.toString()],
      { connection: 'replica', prepared },
    );
    return preceding?.count ?? 0;
  }
}

export const CURSOR_GONE =
  'The event of this cursor is not in this event log, or its retention period has ended. Start again without a cursor.';
