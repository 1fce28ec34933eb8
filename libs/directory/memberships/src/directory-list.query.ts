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
import { BaseQuery, column, row, type RowOf, type RowType } from '#platform/database';
import { DataSource } from 'typeorm';
import { type Conditions, conditionsOf, type DirectoryFilter, isCounted, isSelective } from './directory-conditions.js';
import { type DirectoryOrder, directoryOrder, type DirectorySort } from './directory-order.js';
import { totalSql } from './directory-counts.query.js';

/** Columns of a list, as SQL. */
interface Columns<T> {
  readonly row: RowType<T>;
  readonly columns: string;
}

/**
 * The columns of a list: columns of the user `u`, and columns of the user in the organization. In the SQL of the latter, `i (user_id)` are
 * the rows of the page, $1 is the tenant, $2 the organization and $3 the group of the filter, if any.
 */
export interface ListColumns<U, M> {
  readonly user: Columns<U>;
  readonly inOrganization: Columns<M> & { readonly joins: string };
}

/** Maximum number of counted rows before a page. The page numbers of later pages are approximate. */
const MAX_EXACT_PRECEDING = 1_000;

export type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;

export interface DirectoryPageRequest {
  readonly filter: DirectoryFilter;
  readonly request: PageRequest;
  readonly sort?: DirectorySort | undefined;
}

interface Position {
  readonly request: PageRequest;
  readonly order: DirectoryOrder;
  readonly cursor?: Cursor;
}

/**
 * A position in a sort order. `after` and `upTo` are SQL conditions for the rows after and up to the position. `values` are the parameters
 * of the conditions.
 */
export interface Cursor {
  readonly after: string;
  readonly upTo: string;
  readonly values: readonly string[];
}

interface PageStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly prepared: boolean;
  readonly connection: 'shared' | 'replica';
}

const USER_ID_ROW = row({ user_id: column.text() });
const KEYS_ROW = row({ keys: column.arrayOf(column.text()) });

/** The columns of each row of a page. An empty page has one row, without a `listedId`. `guestTenantId` is the tenant of a guest. */
const PAGE_COLUMNS = {
  total: column.integer(),
  preceding: column.integer(),
  listedId: column.nullable(column.text()),
  guestTenantId: column.nullable(column.text()),
};
const PAGE_ROW = row(PAGE_COLUMNS);

/** Lists the directory of an organization in pages. Reads only directory entries and role assignments to find a page. */
@Injectable()
export class DirectoryListQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns a page, newest users first unless `sort` is set. One statement reads the page and the total, so that the total matches the
   * page. If the page has guests, a second statement reads the guests in their tenants.
   * @throws InvalidCursor (400) if `after` is not a user id
   * @throws CursorGone (400) if the user `after` left the directory and `sort` is not by creation
   */
  async page<U extends object, M extends object>(
    ctx: RequestContext,
    organization: OrganizationRef,
    { filter, request, sort }: DirectoryPageRequest,
    list: ListColumns<U, M>,
  ): Promise<Page<U & M>> {
    if (request.after !== undefined && !isId('user', request.after)) throw new InvalidCursor('user');
    const order = directoryOrder(sort);
    const conditions = conditionsOf(organization, filter, order.columns);
    const cursor =
      request.after === undefined
        ? undefined
        : await this.cursorAt(ctx, organization, order, request.after, conditions.parameters.length);
    const parameters = [...conditions.parameters, ...(cursor?.values ?? [])];
    const position = { request, order, cursor };
    const pageCte = isSelective(filter)
      ? matchesSql(conditions, position)
      : indexScanSql(conditions, position, parameters, isCountStored(ctx, filter) ? filter : undefined);
    const sql = `WITH ${pageCte}
      SELECT page.total, page.preceding, i.user_id AS "listedId", ${GUEST_TENANT_ID},
        ${list.user.columns}, ${list.inOrganization.columns}
      FROM page LEFT JOIN unnest(page.user_ids) WITH ORDINALITY AS i (user_id, number) ON true
      LEFT JOIN users u ON u.tenant_id = $1 AND u.id = i.user_id ${list.inOrganization.joins} ORDER BY i.number`;
    const prepared = isFrequent(filter, request, sort);
    // An email address is a key: it matches the user that the organization manages, and guests from other tenants.
    const connection = prepared && filter.email !== undefined ? 'shared' : 'replica';
    return this.readPage(ctx, request, list, { sql, parameters, prepared, connection });
  }

  /** Reads a page with a statement that has the columns of `pageRowOf`. */
  protected async readPage<U extends object, M extends object>(
    ctx: RequestContext,
    request: PageRequest,
    list: ListColumns<U, M>,
    { sql, parameters, prepared, connection }: PageStatement,
  ): Promise<Page<U & M>> {
    const rows = await this.query(ctx, pageRowOf(list), sql, parameters, { prepared, connection });
    const { total, preceding } = rows[0] ?? { total: 0, preceding: 0 };
    const listed = rows.filter(({ listedId }) => listedId !== null);
    const page = pageOf(request, listed, total, preceding);
    return { ...page, items: await this.withGuests(ctx, page.items, list, connection) };
  }

  /** Adds the columns of guests. Omits guests who were purged between the two statements. */
  private async withGuests<U extends object, M extends object>(
    ctx: RequestContext,
    rows: readonly RowOf<typeof PAGE_ROW>[],
    { user }: ListColumns<U, M>,
    connection: 'shared' | 'replica',
  ): Promise<(U & M)[]> {
    const guests = rows.filter(({ guestTenantId }) => guestTenantId !== null);
    if (guests.length === 0) return rows as unknown as (U & M)[];
    const found = await this.query(
      ctx,
      row({ listedId: column.text(), ...user.row.columns }),
      `SELECT u.id AS "listedId", ${user.columns} FROM users u WHERE u.tenant_id = ANY ($1) AND u.id = ANY ($2)`,
      [[...new Set(guests.map(({ guestTenantId }) => guestTenantId))], guests.map(({ listedId }) => listedId)],
      { connection },
    );
    const byId = new Map(found.map((guest) => [guest.listedId, guest]));
    return rows.flatMap((row) => {
      const guest = row.guestTenantId === null ? {} : byId.get(row.listedId ?? '');
      return guest ? [{ ...row, ...guest } as unknown as U & M] : [];
    });
  }

  /** Returns the ids of up to `limit` users that match the filter and come after the user `after`, newest first. */
  async listIds(
    ctx: RequestContext,
    organization: OrganizationRef,
    filter: DirectoryFilter,
    limit: number,
    after?: string,
  ): Promise<string[]> {
    const { from, where, parameters } = conditionsOf(organization, filter, ['user_id']);
    const cursor = after === undefined ? '' : ` AND e.user_id < $${parameters.length + 1}`;
    const rows = await this.query(
      ctx,
      USER_ID_ROW,
      `SELECT e.user_id FROM ${from} WHERE ${where}${cursor} ORDER BY e.user_id DESC LIMIT ${limit}`,
      after === undefined ? parameters : [...parameters, after],
      { prepared: filter.search === undefined ? undefined : false },
    );
    return rows.map(({ user_id }) => user_id);
  }

  /** Returns the position of a user in a sort order. Reads the directory entry of the user, unless the order is by creation. */
  private async cursorAt(
    ctx: RequestContext,
    organization: OrganizationRef,
    order: DirectoryOrder,
    userId: string,
    parameterCount: number,
  ): Promise<Cursor> {
    const { expressions } = order;
    const values = expressions.length === 1 ? [userId] : await this.keysOf(ctx, organization, expressions, userId);
    return cursorOf(order, values, parameterCount);
  }

  private async keysOf(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    expressions: readonly string[],
    userId: string,
  ): Promise<string[]> {
    const [position] = await this.query(
      ctx,
      KEYS_ROW,
      `SELECT ARRAY[${expressions.map((expression) => `(${expression})::text`).join(', ')}] AS keys FROM directory_entries e
       WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3`,
      [tenantId, id, userId],
    );
    if (!position) throw new CursorGone(USER_NOT_LISTED);
    return position.keys;
  }
}

export const USER_NOT_LISTED =
  'The user whose id is in "after" is no longer in this list. In this order, the list can continue only after a user who is still in the list. Start again without "after", or sort by createdAt.';

/** Returns the conditions of a position. `values` are the values of the order's expressions. */
export function cursorOf(
  { expressions, types, descending }: DirectoryOrder,
  values: readonly string[],
  parameterCount: number,
): Cursor {
  const keys = `(${expressions.join(', ')})`;
  const placeholders = `(${types.map((type, index) => `$${parameterCount + index + 1}::${type}`).join(', ')})`;
  return {
    after: `${keys} ${descending ? '<' : '>'} ${placeholders}`,
    upTo: `${keys} ${descending ? '>=' : '<='} ${placeholders}`,
    values,
  };
}

export const orderBy = ({ expressions, descending }: DirectoryOrder): string =>
  `ORDER BY ${expressions.map((expression) => `${expression} ${descending ? 'DESC' : 'ASC'}`).join(', ')}`;

/** The tenant of a listed guest, or null for a user of the tenant. */
const GUEST_TENANT_ID = `CASE WHEN u.id IS NULL THEN (SELECT e.user_tenant_id FROM directory_entries e
  WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = i.user_id) END AS "guestTenantId"`;

/** Returns the row type of a page. The columns of users are null in the row of an empty page and in rows of guests. */
function pageRowOf<U, M>({ user, inOrganization }: ListColumns<U, M>) {
  const columns = Object.entries({ ...user.row.columns, ...inOrganization.row.columns });
  return row({ ...Object.fromEntries(columns.map(([name, type]) => [name, column.nullable(type)])), ...PAGE_COLUMNS });
}

const COMMON_LIMITS = new Set([20, 50, 100]);

/**
 * Returns whether a request is frequent enough for a prepared statement. Searches never use prepared statements, because the best plan
 * depends on the search term.
 */
function isFrequent(filter: DirectoryFilter, request: PageRequest, sort: DirectorySort | undefined): boolean {
  const { search, externalId, createdAfter, createdBefore } = filter;
  const isRare = [search, externalId, createdAfter, createdBefore, sort].some((value) => value !== undefined);
  return !isRare && offsetOf(request) === 0 && COMMON_LIMITS.has(request.limit);
}

/**
 * Returns the CTE `page`, which reads all matches once, for the page, the total and the number of preceding rows. A separate read of the page
 * could scan the whole directory if the search has few matches.
 */
function matchesSql({ from, where }: Conditions, position: Position): string {
  const { request, order, cursor } = position;
  return `e AS MATERIALIZED (SELECT ${order.columns.map((column) => `e.${column}`).join(', ')} FROM ${from} WHERE ${where}),
    page AS MATERIALIZED (SELECT (SELECT count(*)::int FROM e) AS total,
      ${cursor ? `(SELECT count(*)::int FROM e WHERE ${cursor.upTo})` : offsetOf(request)} AS preceding,
      ARRAY(SELECT e.user_id ${pageSql({ from: 'e', where: 'true' }, position)}) AS user_ids)`;
}

/**
 * Returns whether the stored counts have the total, or the total without the users whom other organizations manage. As of a moment, they
 * don't have the counts of roles and groups. They never have the count of a role within a group.
 */
const isCountStored = ({ asOf }: RequestContext, filter: DirectoryFilter): boolean => {
  const { managed, ...others } = filter;
  const conditionCount = [filter.roleId, filter.groupId].filter((value) => value !== undefined).length;
  if (managed !== undefined) return isCounted(others) && managed && conditionCount === 0 && !filter.membersOnly;
  return isCounted(filter) && conditionCount <= (asOf === undefined ? 1 : 0);
};

/**
 * Returns the CTE `page`, which reads the page in the order of an index. `counted` is the filter if the stored counts have the total. Adds
 * the values of placeholders to `parameters`.
 */
function indexScanSql(
  conditions: Conditions,
  position: Position,
  parameters: unknown[],
  counted: DirectoryFilter | undefined,
): string {
  const { from, where } = conditions;
  const { request, order, cursor } = position;
  const total = counted ? storedTotalOf(counted, parameters) : `(SELECT count(*)::int FROM ${from} WHERE ${where})`;
  // The limit is a parameter, so that the planner reads rows in the order of the index and stops at the limit. With a constant limit, the
  // planner might read and sort all rows.
  const preceding =
    cursor &&
    `(SELECT count(*)::int FROM (
       SELECT FROM ${from} WHERE ${where} AND ${cursor.upTo} ${orderBy(order)} LIMIT $${parameters.push(MAX_EXACT_PRECEDING + 1)}
     ) before)`;
  return `page AS MATERIALIZED (SELECT ${total} AS total, ${preceding ?? offsetOf(request)} AS preceding,
    ARRAY(SELECT e.user_id ${pageSql({ from, where }, position)}) AS user_ids)`;
}

/** Returns the SQL of the total in the stored counts. Adds the values of placeholders to `parameters`. */
function storedTotalOf(filter: DirectoryFilter, parameters: unknown[]): string {
  const parameter = (value: string) => `$${parameters.push(value)}`;
  const dimension = parameter(filter.groupId ?? filter.roleId ?? (filter.membersOnly ? 'member' : 'user'));
  const status = filter.status === undefined ? undefined : parameter(filter.status);
  const total = totalSql(dimension, status);
  if (!filter.managed) return total;
  const notManaged = `e.tenant_id = $1 AND e.organization_id = $2 AND NOT e.managed AND e.status ${status === undefined ? `<> 'deleted'` : `= ${status}`}`;
  return `(${total} - (SELECT count(*)::int FROM directory_entries e WHERE ${notManaged}))`;
}

/** Returns SQL that selects the rows of a page and one more row, which shows whether a next page exists. */
function pageSql({ from, where }: Pick<Conditions, 'from' | 'where'>, { request, order, cursor }: Position): string {
  return `FROM ${from} WHERE ${where}${cursor ? ` AND ${cursor.after}` : ''}
    ${orderBy(order)} LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`;
}
