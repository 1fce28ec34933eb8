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
} from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import { type Conditions, conditionsOf, type DirectoryFilter, isCounted, isSelective } from './directory-conditions.js';
import { type DirectoryOrder, directoryOrder, type DirectorySort } from './directory-order.js';
import { totalSql } from './directory-counts.repository.js';

/** What a list shows of each user, as SQL beside the rows `i (user_id)` of the page; the tenant is $1 and the organization $2. */
export interface ShownColumns {
  readonly columns: string;
  readonly joins: string;
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
export class DirectoryList extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Newest users first, if `sort` does not say otherwise. Page, total and what is shown are read in one statement, so that they agree.
   * @throws InvalidCursor (400) when `after` is no user id, CursorGone (400) when the order needs a row that is gone
   */
  async page<T>(
    ctx: RequestContext,
    place: Place,
    filter: DirectoryFilter,
    request: PageRequest,
    shown: ShownColumns,
    sort?: DirectorySort,
  ): Promise<Page<T>> {
    if (request.after !== undefined && !isId('user', request.after)) throw new InvalidCursor('user');
    const order = directoryOrder(sort);
    const conditions = conditionsOf(place, filter, order.columns);
    const cursor =
      request.after === undefined
        ? undefined
        : await this.cursorAt(ctx, place, order, request.after, conditions.parameters.length);
    const parameters = [...conditions.parameters, ...(cursor?.values ?? [])];
    const position = { request, order, cursor };
    const list = isSelective(filter) ? matchesSql(conditions, position) : walkSql(conditions, position, filter, parameters);
    const sql = `WITH ${list}
      SELECT p.total, p.preceding, i.user_id IS NOT NULL AS listed, ${shown.columns}
      FROM p LEFT JOIN unnest(p.user_ids) WITH ORDINALITY AS i (user_id, number) ON true ${shown.joins} ORDER BY i.number`;
    const rows = isOftenAsked(filter, request, sort)
      ? await this.preparedList<PageRow & T>(ctx, sql, parameters)
      : await this.queryList<PageRow & T>(ctx, sql, parameters);
    const { total, preceding } = rows[0]!;
    const items = rows.filter(({ listed }) => listed);
    return pageOf(request, items, total, preceding);
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
  'The user whose id is in "after" is no longer in this list. In this order, the list can continue only after a user who is still in the list. Start again without "after", or sort by createdAt.';

const orderBy = ({ expressions, descending }: DirectoryOrder): string =>
  `ORDER BY ${expressions.map((expression) => `${expression} ${descending ? 'DESC' : 'ASC'}`).join(', ')}`;

interface PageRow {
  total: number;
  preceding: number;
  /** False in the one row that stands for an empty page. */
  listed: boolean;
}

const COMMON_LIMITS = new Set([20, 50, 100]);

/**
 * Whether the statement is worth keeping prepared: few of them, since each takes memory in every connection, and none with a search, whose
 * best plan depends on the term.
 */
function isOftenAsked(filter: DirectoryFilter, request: PageRequest, sort: DirectorySort | undefined): boolean {
  const { search, externalId, createdAfter, createdBefore } = filter;
  const rare = [search, externalId, createdAfter, createdBefore, sort].some((value) => value !== undefined);
  return !rare && offsetOf(request) === 0 && COMMON_LIMITS.has(request.limit);
}

/**
 * Page, total and page number from one reading of all that match. Apart, a page with its order and limit invites the planner to walk
 * the directory until it has met enough matches, which for a term that nobody has is the whole of it.
 */
function matchesSql({ from, where }: Conditions, position: Position): string {
  const { request, order, cursor } = position;
  return `e AS MATERIALIZED (SELECT ${order.columns.map((column) => `e.${column}`).join(', ')} FROM ${from} WHERE ${where}),
    p AS MATERIALIZED (SELECT (SELECT count(*)::int FROM e) AS total,
      ${cursor ? `(SELECT count(*)::int FROM e WHERE ${cursor.upTo})` : offsetOf(request)} AS preceding,
      ARRAY(SELECT e.user_id ${pageSql({ from: 'e', where: 'true' }, position)}) AS user_ids)`;
}

/** A page in the order of an index; what it compares with is added to the parameters. */
function walkSql(conditions: Conditions, position: Position, filter: DirectoryFilter, parameters: unknown[]): string {
  const { from, where } = conditions;
  const { request, order, cursor } = position;
  const total = totalOf(conditions, filter, parameters);
  // Ordered, and with a limit that a plan for all values does not know, so that it is an index that is read, up to the limit: whoever
  // expects fewer rows than the limit reads and sorts all of them.
  const preceding =
    cursor &&
    `(SELECT count(*)::int FROM (
       SELECT FROM ${from} WHERE ${where} AND ${cursor.upTo} ${orderBy(order)} LIMIT $${parameters.push(MAX_EXACT_PRECEDING + 1)}
     ) before)`;
  return `p AS MATERIALIZED (SELECT ${total} AS total, ${preceding ?? offsetOf(request)} AS preceding,
    ARRAY(SELECT e.user_id ${pageSql({ from, where }, position)}) AS user_ids)`;
}

/** The total as SQL, from the counts that are kept if they have it; what it compares with is added to the parameters. */
function totalOf({ from, where }: Conditions, filter: DirectoryFilter, parameters: unknown[]): string {
  if (!isCounted(filter)) return `(SELECT count(*)::int FROM ${from} WHERE ${where})`;
  const parameter = (value: string) => `$${parameters.push(value)}`;
  const dimension = parameter(filter.roleId ?? (filter.membersOnly ? 'member' : 'user'));
  return filter.status === undefined ? totalSql(dimension) : totalSql(dimension, parameter(filter.status));
}

/** One row more than the page has, which tells whether there are more. */
function pageSql({ from, where }: Pick<Conditions, 'from' | 'where'>, { request, order, cursor }: Position): string {
  return `FROM ${from} WHERE ${where}${cursor ? ` AND ${cursor.after}` : ''}
    ${orderBy(order)} LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`;
}
