import { Injectable } from '@nestjs/common';
import {
  type Caller,
  InvalidCursor,
  isId,
  likeLiteral,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
  searchKey,
} from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource, In } from 'typeorm';
import { Organization } from './organization.entity.js';

export interface OrganizationFilter {
  /** An id; null: top-level ones. */
  parentId?: string | null;
  /** `deleted`: those that can be restored by themselves; left out or any other: those that are not deleted. */
  status?: string;
  type?: string;
  search?: string;
  /** Only those that the caller reaches, but none above. */
  topmost?: boolean;
}

/** A node of the tree as shown by the hierarchy. */
export interface HierarchyNode {
  id: string;
  name: string;
  memberCount?: number;
  children: HierarchyNode[];
}

export interface ChildSummary {
  id: string;
  name: string;
  memberCount: number;
}

export interface IdentityProviderSummary {
  id: string;
  name: string;
  type: string;
  enabled: boolean;
}

/** Beyond this many preceding rows a page's number is counted coarsely. */
const MAX_EXACT_PRECEDING = 10_000;

/** Lists, trees and counts of organizations. */
@Injectable()
export class OrganizationDirectory extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async list(ctx: RequestContext, filter: OrganizationFilter, request: PageRequest): Promise<Page<Organization>> {
    if (request.after !== undefined && !isId('organization', request.after)) throw new InvalidCursor('organization');
    const { where, parameters } = conditions(ctx.caller, filter);
    const cursor = request.after === undefined ? '' : ` AND o.id < $${parameters.length + 1}`;
    const cursorParameters = request.after === undefined ? [] : [request.after];
    const ids = await this.queryList<{ id: string }>(
      ctx,
      `SELECT o.id FROM organizations o WHERE ${where}${cursor} ORDER BY o.id DESC LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`,
      [...parameters, ...cursorParameters],
    );
    const [count] = await this.queryList<{ total: number; preceding: number }>(
      ctx,
      `SELECT (SELECT count(*) FROM organizations o WHERE ${where})::int AS total,
         ${request.after === undefined ? offsetOf(request) : `(SELECT count(*) FROM (SELECT FROM organizations o WHERE ${where} AND o.id >= $${parameters.length + 1} LIMIT ${MAX_EXACT_PRECEDING + 1}) p)::int`} AS preceding`,
      [...parameters, ...cursorParameters],
    );
    const found = await this.rows(ctx, Organization).findBy({ id: In(ids.map((row) => row.id)) });
    const byId = new Map(found.map((organization) => [organization.id, organization]));
    return pageOf(
      request,
      ids.map((row) => byId.get(row.id)).filter((organization) => organization !== undefined),
      count!.total,
      count!.preceding,
    );
  }

  /** Exact numbers of members (deleted users don't count), by organization id. */
  async memberCounts(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.query<{ organization_id: string; amount: number }>(
      ctx,
      `SELECT organization_id, sum(amount)::int AS amount FROM (
         SELECT c.organization_id, c.amount FROM organizations o JOIN directory_counts c ON c.tenant_id = o.tenant_id AND c.organization_id = o.id
         WHERE o.id = ANY($1) AND c.dimension = 'member' AND c.status <> 'deleted'
         UNION ALL
         SELECT d.organization_id, d.amount FROM organizations o JOIN directory_count_deltas d ON d.tenant_id = o.tenant_id AND d.organization_id = o.id
         WHERE o.id = ANY($1) AND d.dimension = 'member' AND d.status <> 'deleted'
       ) counted GROUP BY organization_id`,
      [ids],
    );
    return new Map(rows.map((row) => [row.organization_id, row.amount]));
  }

  /** Those of the organizations that have others directly below them. */
  async parentsAmong(ctx: RequestContext, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ id: string }>(
      ctx,
      `SELECT o.id FROM organizations o WHERE o.id = ANY($1) AND o.deleted_at IS NULL AND EXISTS (
         SELECT FROM organizations c WHERE c.tenant_id = o.tenant_id AND c.parent_id = o.id AND c.deleted_at IS NULL)`,
      [ids],
    );
    return new Set(rows.map((row) => row.id));
  }

  /** Direct children, oldest first, with their numbers of members. */
  async children(ctx: RequestContext, { tenantId, id }: { tenantId: string; id: string }): Promise<ChildSummary[]> {
    const rows = await this.query<{ id: string; name: string }>(
      ctx,
      'SELECT id, name FROM organizations WHERE tenant_id = $1 AND parent_id = $2 AND deleted_at IS NULL ORDER BY id',
      [tenantId, id],
    );
    const counts = await this.memberCounts(
      ctx,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({ id: row.id, name: row.name, memberCount: counts.get(row.id) ?? 0 }));
  }

  /** The tree below an organization, of any shape, in one statement. The root has no `memberCount`. */
  async hierarchy(ctx: RequestContext, { tenantId, id }: { tenantId: string; id: string }): Promise<HierarchyNode> {
    const rows = await this.query<{ id: string; parent_id: string | null; name: string; member_count: number }>(
      ctx,
      `WITH tree AS MATERIALIZED (
         SELECT id, parent_id, name FROM organizations WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2]) AND deleted_at IS NULL
       ), counted AS (
         SELECT organization_id, sum(amount) AS amount FROM (
           SELECT organization_id, amount FROM directory_counts WHERE tenant_id = $1 AND dimension = 'member' AND status <> 'deleted'
           UNION ALL
           SELECT organization_id, amount FROM directory_count_deltas WHERE tenant_id = $1 AND dimension = 'member' AND status <> 'deleted'
         ) parts GROUP BY organization_id
       )
       SELECT t.id, t.parent_id, t.name, coalesce(c.amount, 0)::int AS member_count
       FROM tree t LEFT JOIN counted c ON c.organization_id = t.id ORDER BY t.id`,
      [tenantId, id],
    );
    const nodes = new Map<string, HierarchyNode>(
      rows.map((row) => [row.id, { id: row.id, name: row.name, memberCount: row.member_count, children: [] }]),
    );
    for (const row of rows) if (row.id !== id && row.parent_id) nodes.get(row.parent_id)?.children.push(nodes.get(row.id)!);
    const { memberCount: _, ...root } = nodes.get(id)!;
    return root;
  }

  async identityProviders(
    ctx: RequestContext,
    { tenantId, id }: { tenantId: string; id: string },
  ): Promise<IdentityProviderSummary[]> {
    return this.query(
      ctx,
      'SELECT id, name, type, enabled FROM identity_providers WHERE tenant_id = $1 AND organization_id = $2 ORDER BY id',
      [tenantId, id],
    );
  }
}

function conditions(caller: Caller, filter: OrganizationFilter): { where: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const isDeleted = filter.status === 'deleted';
  const parts = [isDeleted ? 'o.deleted_at IS NOT NULL AND o.deletion_root_id = o.id' : 'o.deleted_at IS NULL'];
  if (caller.kind !== 'platform') {
    const reached = parameter(caller.organizationIds ?? []);
    parts.push(`(o.id = ANY(${reached}) OR o.ancestor_ids && ${reached})`);
    if (filter.topmost) parts.push(`NOT (o.ancestor_ids && ${reached})`);
    const barred = parameter(caller.barredOrganizationIds ?? []);
    parts.push(`NOT (o.id = ANY(${barred}) OR o.ancestor_ids && ${barred})`);
  }
  if (filter.topmost && caller.kind === 'platform') parts.push('o.parent_id IS NULL');
  if (filter.parentId === null) parts.push('o.parent_id IS NULL');
  else if (filter.parentId !== undefined) parts.push(`o.parent_id = ${parameter(filter.parentId)}`);
  if (filter.status !== undefined && !isDeleted) parts.push(`o.status = ${parameter(filter.status)}`);
  if (filter.type !== undefined) parts.push(`o.type = ${parameter(filter.type)}`);
  if (filter.search !== undefined) parts.push(`o.search_text LIKE ${parameter(`%${likeLiteral(searchKey(filter.search))}%`)}`);
  return { where: parts.join(' AND '), parameters };
}
