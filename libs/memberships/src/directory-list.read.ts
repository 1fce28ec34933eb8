import { Injectable } from '@nestjs/common';
import {
  CursorGone,
  emailKey,
  InvalidCursor,
  isId,
  likeLiteral,
  offsetOf,
  type OrganizationScope,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
  searchKey,
} from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';
import { type DirectoryOrder, directoryOrder, type DirectorySort } from './directory-order.js';
import { DirectoryCounts } from './directory-counts.repository.js';

export interface DirectoryFilter {
  readonly membersOnly: boolean;
  readonly status?: string;
  readonly email?: string;
  /** Of users of this tree; guests' ids are another tree's. */
  readonly externalId?: string;
  readonly search?: string;
  readonly roleId?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

export interface ListedUser {
  readonly userId: string;
  readonly userTenantId: string;
}

/** Filters by a role that does not exist, which nobody holds: no id of a role has this form, nor has a dimension of the counts. */
export const NOBODYS_ROLE_ID = 'role_';
/** Beyond this many preceding rows a page's number is counted coarsely. */
const MAX_EXACT_PRECEDING = 10_000;
/** Shorter terms match the beginnings of words, since an index of trigrams knows nothing shorter. */
const MIN_SUBSTRING_LENGTH = 3;

/** Users that went with their organization are nowhere to be seen until it is restored. */
const HOME_NOT_DELETED = `NOT EXISTS (SELECT FROM organizations o
  WHERE o.tenant_id = e.user_tenant_id AND o.id = e.user_organization_id AND o.deleted_at IS NOT NULL)`;

interface Conditions {
  from: string;
  where: string;
  parameters: unknown[];
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
    place: Pick<OrganizationScope, 'id' | 'tenantId'>,
    filter: DirectoryFilter,
    request: PageRequest,
    sort?: DirectorySort,
  ): Promise<Page<ListedUser>> {
    if (request.after !== undefined && !isId('user', request.after)) throw new InvalidCursor('user');
    const conditions = conditionsOf(place, filter);
    const { from, where, parameters } = conditions;
    const order = directoryOrder(sort);
    const cursor =
      request.after === undefined ? undefined : await this.cursorAt(ctx, place, order, request.after, parameters.length);
    const direction = order.descending ? 'DESC' : 'ASC';
    const rows = await this.query<{ user_id: string; user_tenant_id: string }>(
      ctx,
      `SELECT e.user_id, e.user_tenant_id FROM ${from} WHERE ${where}${cursor ? ` AND ${cursor.after}` : ''}
       ORDER BY ${order.expressions.map((expression) => `${expression} ${direction}`).join(', ')}
       LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`,
      [...parameters, ...(cursor?.values ?? [])],
    );
    const items = rows.map((row) => ({ userId: row.user_id, userTenantId: row.user_tenant_id }));
    return pageOf(
      request,
      items,
      await this.total(ctx, place, filter, conditions),
      await this.preceding(ctx, conditions, request, cursor),
    );
  }

  /** The next users of a walk through all that the filter lets through, newest first; `after` is the last one seen. */
  async next(
    ctx: RequestContext,
    place: Pick<OrganizationScope, 'id' | 'tenantId'>,
    filter: DirectoryFilter,
    limit: number,
    after?: string,
  ): Promise<string[]> {
    const { from, where, parameters } = conditionsOf(place, filter);
    const cursor = after === undefined ? '' : ` AND e.user_id < $${parameters.length + 1}`;
    const rows = await this.query<{ user_id: string }>(
      ctx,
      `SELECT e.user_id FROM ${from} WHERE ${where}${cursor} ORDER BY e.user_id DESC LIMIT ${limit}`,
      after === undefined ? parameters : [...parameters, after],
    );
    return rows.map((row) => row.user_id);
  }

  private async total(
    ctx: RequestContext,
    place: Pick<OrganizationScope, 'id' | 'tenantId'>,
    filter: DirectoryFilter,
    conditions: Conditions,
  ): Promise<number> {
    // Entries of users that went with their organization count as deleted, too, but are not shown.
    if (
      filter.email === undefined &&
      filter.externalId === undefined &&
      filter.search === undefined &&
      filter.createdAfter === undefined &&
      filter.createdBefore === undefined &&
      filter.status !== 'deleted'
    ) {
      return this.counts.total(ctx, place, filter.roleId ?? (filter.membersOnly ? 'member' : 'user'), filter.status);
    }
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
    request: PageRequest,
    cursor: Cursor | undefined,
  ): Promise<number> {
    if (!cursor) return offsetOf(request);
    const [row] = await this.query<{ preceding: number }>(
      ctx,
      `SELECT count(*)::int AS preceding FROM (
         SELECT FROM ${from} WHERE ${where} AND ${cursor.upTo} LIMIT ${MAX_EXACT_PRECEDING + 1}
       ) before`,
      [...parameters, ...cursor.values],
    );
    return row!.preceding;
  }

  /** Where a user stands in an order: for the order by creation its id says it all, for others its row is read. */
  private async cursorAt(
    ctx: RequestContext,
    place: Pick<OrganizationScope, 'id' | 'tenantId'>,
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
    { tenantId, id }: Pick<OrganizationScope, 'id' | 'tenantId'>,
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

/** A place in an order, as conditions over parameters whose values are given. */
interface Cursor {
  readonly after: string;
  readonly upTo: string;
  readonly values: readonly string[];
}

function conditionsOf(place: Pick<OrganizationScope, 'id' | 'tenantId'>, filter: DirectoryFilter): Conditions {
  const parameters: unknown[] = [place.tenantId, place.id];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const parts = ['e.tenant_id = $1', 'e.organization_id = $2'];
  let from = 'directory_entries e';
  parts.push(filter.status === undefined ? `e.status <> 'deleted'` : `e.status = ${parameter(filter.status)}`);
  if (filter.status === 'deleted') parts.push(HOME_NOT_DELETED);
  if (filter.roleId !== undefined) {
    from +=
      ' JOIN role_assignments r ON r.tenant_id = e.tenant_id AND r.organization_id = e.organization_id AND r.user_id = e.user_id';
    parts.push(`r.role_id = ${parameter(filter.roleId)}`);
  }
  if (filter.membersOnly) parts.push('e.member');
  if (filter.email !== undefined) parts.push(`e.email_key = ${parameter(emailKey(filter.email.trim()))}`);
  if (filter.externalId !== undefined) {
    // Said outright, since the index on external ids holds only users that are not deleted.
    const status = filter.status === 'deleted' ? `u.status = 'deleted'` : `u.status <> 'deleted'`;
    parts.push(
      `e.user_id IN (SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.external_id = ${parameter(filter.externalId)} AND ${status})`,
    );
  }
  for (const [moment, comparison] of [
    [filter.createdAfter, '>'],
    [filter.createdBefore, '<'],
  ] as const) {
    if (moment === undefined) continue;
    const created = `u.created_at ${comparison} ${parameter(moment)}`;
    parts.push(`EXISTS (SELECT FROM users u WHERE u.tenant_id = e.user_tenant_id AND u.id = e.user_id AND ${created})`);
  }
  const term = filter.search === undefined ? '' : searchKey(filter.search);
  if (term !== '') {
    const pattern = term.length < MIN_SUBSTRING_LENGTH ? `% ${likeLiteral(term)}%` : `%${likeLiteral(term)}%`;
    parts.push(`ARRAY[e.organization_id] @> ARRAY[$2] AND e.search_text LIKE ${parameter(pattern)}`);
  }
  return { from, where: parts.join(' AND '), parameters };
}
