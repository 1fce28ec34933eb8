import { Injectable } from '@nestjs/common';
import {
  CursorGone,
  InvalidCursor,
  isId,
  offsetOf,
  type OrganizationScope,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
} from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';
import { type Conditions, conditionsOf, type DirectoryFilter, isCounted, isSelective } from './directory-conditions.js';
import { type DirectoryOrder, directoryOrder, type DirectorySort } from './directory-order.js';
import { DirectoryCounts } from './directory-counts.repository.js';

export interface ListedUser {
  readonly userId: string;
}

/** Beyond this many preceding rows a page's number is counted coarsely. */
const MAX_EXACT_PRECEDING = 10_000;

type Place = Pick<OrganizationScope, 'id' | 'tenantId'>;

/** Where a page lies: the order, and the place in it from which it goes on. */
interface Position {
  readonly request: PageRequest;
  readonly order: DirectoryOrder;
  readonly cursor?: Cursor;
}

/** A place in an order, as conditions over parameters whose values are given. */
interface Cursor {
  readonly after: string;
  readonly upTo: string;
  readonly values: readonly string[];
}

/** Pages through an organization's directory, reading directory entries and role assignments alone. */
@Injectable()
export class DirectoryList extends BaseRepository {
  constructor(
    dataSource: DataSource,
    private readonly counts: DirectoryCounts,
  ) {
    super(dataSource);
  }

  /**
   * Newest users first, if `sort` does not say otherwise.
   * @throws InvalidCursor (400) when `after` is no user id, CursorGone (400) when the order needs a row that is gone
   */
  async page(
    ctx: RequestContext,
    place: Place,
    filter: DirectoryFilter,
    request: PageRequest,
    sort?: DirectorySort,
  ): Promise<Page<ListedUser>> {
    if (request.after !== undefined && !isId('user', request.after)) throw new InvalidCursor('user');
    const order = directoryOrder(sort);
    const conditions = conditionsOf(place, filter, order.columns);
    const cursor =
      request.after === undefined
        ? undefined
        : await this.cursorAt(ctx, place, order, request.after, conditions.parameters.length);
    const position = { request, order, cursor };
    if (isSelective(filter)) return this.pageOfMatches(ctx, conditions, position);
    const rows = await this.query<{ userId: string }>(ctx, `SELECT e.user_id AS "userId" ${pageSql(conditions, position)}`, [
      ...conditions.parameters,
      ...(cursor?.values ?? []),
    ]);
    return pageOf(
      request,
      rows,
      await this.total(ctx, place, filter, conditions),
      await this.preceding(ctx, conditions, position),
    );
  }

  /** The next users of a walk through all that the filter lets through, newest first; `after` is the last one seen. */
  async next(ctx: RequestContext, place: Place, filter: DirectoryFilter, limit: number, after?: string): Promise<string[]> {
    const { from, where, parameters } = conditionsOf(place, filter, ['user_id']);
    const cursor = after === undefined ? '' : ` AND e.user_id < $${parameters.length + 1}`;
    const rows = await this.query<{ user_id: string }>(
      ctx,
      `SELECT e.user_id FROM ${from} WHERE ${where}${cursor} ORDER BY e.user_id DESC LIMIT ${limit}`,
      after === undefined ? parameters : [...parameters, after],
    );
    return rows.map((row) => row.user_id);
  }

  /**
   * Page, total and page number from one reading of all that match. Apart, a page with its order and limit invites the planner to walk
   * the directory until it has met enough matches, which for a term that nobody has is the whole of it.
   */
  private async pageOfMatches(ctx: RequestContext, conditions: Conditions, position: Position): Promise<Page<ListedUser>> {
    const { request, order, cursor } = position;
    const [row] = await this.query<{ total: number; preceding: number; userIds: string[] }>(
      ctx,
      `WITH e AS MATERIALIZED (
         SELECT ${order.columns.map((column) => `e.${column}`).join(', ')} FROM ${conditions.from} WHERE ${conditions.where}
       )
       SELECT (SELECT count(*)::int FROM e) AS total,
         (SELECT count(*)::int FROM e WHERE ${cursor?.upTo ?? 'false'}) AS preceding,
         ARRAY(SELECT e.user_id ${pageSql({ from: 'e', where: 'true' }, position)}) AS "userIds"`,
      [...conditions.parameters, ...(cursor?.values ?? [])],
    );
    const { total, preceding, userIds } = row!;
    return pageOf(
      request,
      userIds.map((userId) => ({ userId })),
      total,
      cursor ? preceding : offsetOf(request),
    );
  }

  private async total(ctx: RequestContext, place: Place, filter: DirectoryFilter, conditions: Conditions): Promise<number> {
    if (isCounted(filter))
      return this.counts.total(ctx, place, filter.roleId ?? (filter.membersOnly ? 'member' : 'user'), filter.status);
    const [row] = await this.query<{ total: number }>(
      ctx,
      `SELECT count(*)::int AS total FROM ${conditions.from} WHERE ${conditions.where}`,
      conditions.parameters,
    );
    return row!.total;
  }

  private async preceding(
    ctx: RequestContext,
    { from, where, parameters }: Conditions,
    { request, order, cursor }: Position,
  ): Promise<number> {
    if (!cursor) return offsetOf(request);
    const [row] = await this.query<{ preceding: number }>(
      ctx,
      // Ordered, so that it is an index that is read up to the limit, and never the table.
      `SELECT count(*)::int AS preceding FROM (
         SELECT FROM ${from} WHERE ${where} AND ${cursor.upTo} ${orderBy(order)} LIMIT ${MAX_EXACT_PRECEDING + 1}
       ) before`,
      [...parameters, ...cursor.values],
    );
    return row!.preceding;
  }

  /** Where a user stands in an order: for the order by creation its id says it all, for others its row is read. */
  private async cursorAt(
    ctx: RequestContext,
    place: Place,
    { expressions, types, descending }: DirectoryOrder,
    userId: string,
    parameterCount: number,
  ): Promise<Cursor> {
    const values = expressions.length === 1 ? [userId] : await this.keysOf(ctx, place, expressions, userId);
    const keys = `(${expressions.join(', ')})`;
    const given = `(${types.map((type, index) => `$${parameterCount + index + 1}::${type}`).join(', ')})`;
    return { after: `${keys} ${descending ? '<' : '>'} ${given}`, upTo: `${keys} ${descending ? '>=' : '<='} ${given}`, values };
  }

  private async keysOf(
    ctx: RequestContext,
    { tenantId, id }: Place,
    expressions: readonly string[],
    userId: string,
  ): Promise<string[]> {
    const [row] = await this.query<{ keys: string[] }>(
      ctx,
      `SELECT ARRAY[${expressions.map((expression) => `(${expression})::text`).join(', ')}] AS keys FROM directory_entries e
       WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3`,
      [tenantId, id, userId],
    );
    // Only a user's own row says where it stands in an order by e-mail or last sign-in.
    if (!row) throw new CursorGone(USER_IS_GONE);
    return row.keys;
  }
}

const USER_IS_GONE =
  'The user that `after` names is no longer here, so the walk in this order cannot go on from it. Begin anew, or order by createdAt.';

const orderBy = ({ expressions, descending }: DirectoryOrder): string =>
  `ORDER BY ${expressions.map((expression) => `${expression} ${descending ? 'DESC' : 'ASC'}`).join(', ')}`;

/** One row more than the page has, which tells whether there are more. */
function pageSql({ from, where }: Pick<Conditions, 'from' | 'where'>, { request, order, cursor }: Position): string {
  return `FROM ${from} WHERE ${where}${cursor ? ` AND ${cursor.after}` : ''}
    ${orderBy(order)} LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`;
}
