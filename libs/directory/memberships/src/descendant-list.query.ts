import { Injectable } from '@nestjs/common';
import { CursorGone, InvalidCursor, isId, offsetOf, type Page, type PageRequest, type RequestContext } from '#platform/common';
import { column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { conditionsOf, type DirectoryFilter, type DirectoryScope, isCounted, isSelective } from './directory-conditions.js';
import { totalSql } from './directory-counts.query.js';
import {
  type Cursor,
  cursorOf,
  DirectoryListQuery,
  type DirectoryPageRequest,
  type ListColumns,
  orderBy,
  type OrganizationRef,
  USER_NOT_LISTED,
} from './directory-list.query.js';
import { type DirectoryOrder, directoryOrder } from './directory-order.js';

/** Maximum number of counted entries before a page. */
const MAX_PRECEDING = 1_000;

const KEYS_ROW = row({ keys: column.arrayOf(column.text()) });

/** The organization $2 and its descendants, without the organizations $3 and their descendants, which the session can't access. */
const SCOPE = `scope AS MATERIALIZED (SELECT o.id FROM organizations o
  WHERE o.tenant_id = $1 AND (o.id = $2 OR o.ancestor_ids @> ARRAY[$2]) AND o.deleted_at IS NULL
    AND NOT (o.id = ANY ($3::text[]) OR o.ancestor_ids && $3::text[]))`;
const IN_SCOPE = 'IN (SELECT id FROM scope)';
const NOT_MANAGED = `NOT e.managed AND e.user_organization_id NOT ${IN_SCOPE}`;
const ALL: DirectoryScope = { is: IN_SCOPE, overlaps: '&& ARRAY(SELECT id FROM scope)', notManaged: NOT_MANAGED };
/** Each organization `s` of the scope. */
const EACH: DirectoryScope = { ...ALL, is: '= s.id' };

/** The organization in which a user is listed: the managing organization, or else an organization that has the user as a member. */
const LISTED_IN = `LEFT JOIN LATERAL (SELECT e.organization_id FROM directory_entries e
  WHERE e.tenant_id = $1 AND e.user_id = i.user_id AND e.organization_id ${IN_SCOPE}
  ORDER BY e.managed DESC, e.organization_id LIMIT 1) listed ON true`;
const GUEST_TENANT_ID = `CASE WHEN u.id IS NULL THEN (SELECT e.user_tenant_id FROM directory_entries e
  WHERE e.tenant_id = $1 AND e.organization_id = listed.organization_id AND e.user_id = i.user_id) END AS "guestTenantId"`;

interface Position {
  readonly request: PageRequest;
  readonly order: DirectoryOrder;
  readonly cursor?: Cursor | undefined;
}

/**
 * Lists the users in the directories of an organization and its descendants in pages, each user once. A page reads a page of the directory
 * of each organization, so its cost grows with the number of organizations, not with the number of users.
 */
@Injectable()
export class DescendantListQuery extends DirectoryListQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns a page. In the SQL of `list.inOrganization`, `listed (organization_id)` is the organization in which the user is listed.
   * `hiddenIds` are the organizations that are left out, with their descendants.
   * @throws InvalidCursor, CursorGone (400)
   */
  async pageWithDescendants<U extends object, M extends object>(
    ctx: RequestContext,
    organization: OrganizationRef,
    hiddenIds: readonly string[],
    { filter, request, sort }: DirectoryPageRequest,
    list: ListColumns<U, M>,
  ): Promise<Page<U & M>> {
    if (request.after !== undefined && !isId('user', request.after)) throw new InvalidCursor('user');
    const order = directoryOrder(sort);
    const conditions = (scope: DirectoryScope) => conditionsOf(organization, filter, order.columns, scope, [hiddenIds]);
    const { parameters } = conditions(ALL);
    const cursor = await this.cursorIn(ctx, parameters, order, request.after);
    const position = { request, order, cursor };
    const page = isSelective(filter)
      ? matchesSql(conditions(ALL), position)
      : mergedSql(conditions(EACH), position, totalOf(filter, conditions(ALL)));
    const sql = `WITH ${SCOPE}, ${page}
      SELECT page.total, page.preceding, i.user_id AS "listedId", ${GUEST_TENANT_ID},
        ${list.user.columns}, ${list.inOrganization.columns}
      FROM page LEFT JOIN unnest(page.user_ids) WITH ORDINALITY AS i (user_id, number) ON true ${LISTED_IN}
      LEFT JOIN users u ON u.tenant_id = $1 AND u.id = i.user_id ${list.inOrganization.joins} ORDER BY i.number`;
    const all = [...parameters, ...(cursor?.values ?? [])];
    return this.readPage(ctx, request, list, { sql, parameters: all, prepared: false, connection: 'replica' });
  }

  private async cursorIn(
    ctx: RequestContext,
    parameters: readonly unknown[],
    order: DirectoryOrder,
    after: string | undefined,
  ): Promise<Cursor | undefined> {
    if (after === undefined) return undefined;
    if (order.expressions.length === 1) return cursorOf(order, [after], parameters.length);
    const keys = order.expressions.map((expression) => `(${expression})::text`).join(', ');
    const [position] = await this.query(
      ctx,
      KEYS_ROW,
      `WITH ${SCOPE} SELECT ARRAY[${keys}] AS keys FROM directory_entries e
       WHERE e.tenant_id = $1 AND e.user_id = $4 AND e.organization_id ${IN_SCOPE} LIMIT 1`,
      [...parameters.slice(0, 3), after],
      { prepared: false },
    );
    if (!position) throw new CursorGone(USER_NOT_LISTED);
    return cursorOf(order, position.keys, parameters.length);
  }
}

type Sources = Pick<ReturnType<typeof conditionsOf>, 'from' | 'where'>;

const columnsOf = ({ columns }: DirectoryOrder): string => columns.map((name) => `e.${name}`).join(', ');

/** Returns the CTE `page`, which reads all matches once. */
function matchesSql({ from, where }: Sources, { request, order, cursor }: Position): string {
  const offset = offsetOf(request);
  return `e AS MATERIALIZED (SELECT DISTINCT ${columnsOf(order)} FROM ${from} WHERE ${where}),
    page AS MATERIALIZED (SELECT (SELECT count(*)::int FROM e) AS total,
      ${cursor ? `(SELECT count(*)::int FROM e WHERE ${cursor.upTo})` : offset} AS preceding,
      ARRAY(SELECT e.user_id FROM e${cursor ? ` WHERE ${cursor.after}` : ''}
        ${orderBy(order)} LIMIT ${request.limit + 1} OFFSET ${offset}) AS user_ids)`;
}

/** Returns the CTE `page`, which merges the first rows of each organization. An entry has the same keys in all organizations. */
function mergedSql({ from, where }: Sources, { request, order, cursor }: Position, total: string): string {
  const offset = offsetOf(request);
  const first = (condition: string, limit: number) =>
    `scope s CROSS JOIN LATERAL (SELECT ${columnsOf(order)} FROM ${from} WHERE ${where}${condition} ${orderBy(order)} LIMIT ${limit}) e`;
  const limit = request.limit + 1;
  const preceding = cursor
    ? `(SELECT count(DISTINCT user_id)::int FROM (SELECT e.user_id FROM ${first(` AND ${cursor.upTo}`, MAX_PRECEDING + 1)} LIMIT ${MAX_PRECEDING + 1}) before)`
    : offset;
  return `page AS MATERIALIZED (SELECT ${total} AS total, ${preceding} AS preceding,
    ARRAY(SELECT e.user_id FROM (SELECT DISTINCT e.* FROM ${first(cursor ? ` AND ${cursor.after}` : '', limit + offset)}) e
      ${orderBy(order)} LIMIT ${limit} OFFSET ${offset}) AS user_ids)`;
}

/**
 * Returns the SQL of the number of users. The stored counts have the users of each organization: without the entries of users whom another
 * organization manages, each user of the scope counts once. Only these entries are counted, once for each user from outside the scope.
 */
function totalOf(filter: DirectoryFilter, { from, where }: Sources): string {
  const { managed, ...others } = filter;
  if (!isCounted(others) || filter.roleId !== undefined || filter.membersOnly)
    return `(SELECT count(DISTINCT e.user_id)::int FROM ${from} WHERE ${where})`;
  // Conditions of `conditionsOf`: $4 is the status.
  const status = filter.status === undefined ? undefined : '$4';
  const ofOthers = `directory_entries e WHERE e.tenant_id = $1 AND e.organization_id ${IN_SCOPE} AND NOT e.managed
    AND e.status ${status === undefined ? `<> 'deleted'` : `= ${status}`}`;
  const fromOutside = `(SELECT count(DISTINCT e.user_id)::int FROM ${ofOthers} AND e.user_organization_id NOT ${IN_SCOPE})`;
  if (managed === false) return fromOutside;
  const managedTotal = `${totalSql(`'user'`, status, IN_SCOPE)} - (SELECT count(*)::int FROM ${ofOthers})`;
  return managed ? `(${managedTotal})` : `(${managedTotal} + ${fromOutside})`;
}
