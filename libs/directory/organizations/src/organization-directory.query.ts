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
import { BaseQuery, column, entityRow, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { Organization } from './organization.entity.js';

export interface OrganizationFilter {
  /** The parent organization. Null finds root organizations. */
  parent?: OrganizationKey | null;
  /**
   * `deleted` finds organizations whose deletion was requested, without their descendants. Any other status excludes deleted organizations.
   */
  status?: string;
  type?: string;
  search?: string;
  /** Finds only organizations whose ancestors the caller has no access to. */
  topmost?: boolean;
}

/** An organization in the response of `getOrganizationHierarchy`. */
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

type OrganizationKey = Pick<Organization, 'tenantId' | 'id'>;

/** Maximum number of counted rows before a page. The page numbers of later pages are approximate. */
const MAX_EXACT_PRECEDING = 10_000;

const ID_ROW = row({ id: column.text() });
const CHILD_ROW = row({ id: column.text(), name: column.text() });
const PAGE_COUNTS_ROW = row({ total: column.integer(), preceding: column.integer() });
const MEMBER_COUNT_ROW = row({ organization_id: column.text(), amount: column.integer() });
const NODE_ROW = row({
  id: column.text(),
  parent_id: column.nullable(column.text()),
  name: column.text(),
  member_count: column.integer(),
});
const IDENTITY_PROVIDER_ROW = row({ id: column.text(), name: column.text(), type: column.text(), enabled: column.boolean() });

/** Reads lists, hierarchies and counts of organizations. */
@Injectable()
export class OrganizationDirectoryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async list(ctx: RequestContext, filter: OrganizationFilter, request: PageRequest): Promise<Page<Organization>> {
    if (request.after !== undefined && !isId('organization', request.after)) throw new InvalidCursor('organization');
    const { where, parameters } = conditions(ctx.caller, filter);
    const options = { connection: 'replica', prepared: filter.search === undefined ? undefined : false } as const;
    const cursor = request.after === undefined ? '' : ` AND t.id < $${parameters.length + 1}`;
    const cursorParameters = request.after === undefined ? [] : [request.after];
    const items = await this.query(
      ctx,
      entityRow(Organization),
      `${this.selectOf(Organization)} WHERE ${where}${cursor} ORDER BY t.id DESC LIMIT ${request.limit + 1} OFFSET ${offsetOf(request)}`,
      [...parameters, ...cursorParameters],
      options,
    );
    const [counts = { total: 0, preceding: 0 }] = await this.query(
      ctx,
      PAGE_COUNTS_ROW,
      `SELECT (SELECT count(*) FROM organizations t WHERE ${where})::int AS total,
         ${request.after === undefined ? offsetOf(request) : `(SELECT count(*) FROM (SELECT FROM organizations t WHERE ${where} AND t.id >= $${parameters.length + 1} LIMIT ${MAX_EXACT_PRECEDING + 1}) p)::int`} AS preceding`,
      [...parameters, ...cursorParameters],
      options,
    );
    return pageOf(request, items, counts.total, counts.preceding);
  }

  /** Returns the number of members of each organization, without deleted users, by organization id. */
  async countMembers(ctx: RequestContext, organizations: readonly OrganizationKey[]): Promise<Map<string, number>> {
    const rows = await this.query(
      ctx,
      MEMBER_COUNT_ROW,
      `SELECT organization_id, sum(amount)::int AS amount FROM (
         SELECT c.organization_id, c.amount FROM unnest($1::text[], $2::text[]) AS o (tenant_id, id)
         JOIN directory_counts c ON c.tenant_id = o.tenant_id AND c.organization_id = o.id
         WHERE c.tenant_id = ANY($1) AND c.organization_id = ANY($2) AND c.dimension = 'member' AND c.status <> 'deleted'
         UNION ALL
         SELECT d.organization_id, d.amount FROM unnest($1::text[], $2::text[]) AS o (tenant_id, id)
         JOIN directory_count_deltas d ON d.tenant_id = o.tenant_id AND d.organization_id = o.id
         WHERE d.tenant_id = ANY($1) AND d.organization_id = ANY($2) AND d.dimension = 'member' AND d.status <> 'deleted'
       ) counted GROUP BY organization_id`,
      keysOf(organizations),
    );
    return new Map(rows.map((counted) => [counted.organization_id, counted.amount]));
  }

  /** Returns the IDs of those organizations in the list that have child organizations. */
  async listIdsWithChildren(ctx: RequestContext, organizations: readonly OrganizationKey[]): Promise<Set<string>> {
    const rows = await this.query(
      ctx,
      ID_ROW,
      `SELECT o.id FROM organizations o WHERE o.tenant_id = ANY($1) AND o.id = ANY($2) AND o.deleted_at IS NULL AND EXISTS (
         SELECT FROM organizations c WHERE c.tenant_id = o.tenant_id AND c.parent_id = o.id AND c.deleted_at IS NULL)`,
      keysOf(organizations),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns the child organizations, oldest first, with their number of members. */
  async listChildren(ctx: RequestContext, { tenantId, id: parentId }: OrganizationKey): Promise<ChildSummary[]> {
    const children = await this.query(
      ctx,
      CHILD_ROW,
      'SELECT id, name FROM organizations WHERE tenant_id = $1 AND parent_id = $2 AND deleted_at IS NULL ORDER BY id',
      [tenantId, parentId],
    );
    const counts = await this.countMembers(
      ctx,
      children.map(({ id }) => ({ tenantId, id })),
    );
    return children.map(({ id, name }) => ({ id, name, memberCount: counts.get(id) ?? 0 }));
  }

  /** Returns an organization and its descendants, with one statement. Only descendants have `memberCount`. */
  async getHierarchy(ctx: RequestContext, { tenantId, id, name }: OrganizationKey & { name: string }): Promise<HierarchyNode> {
    const rows = await this.query(
      ctx,
      NODE_ROW,
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
    const root: HierarchyNode = { id, name, children: [] };
    const nodes = new Map<string, HierarchyNode>(
      rows.map((node) => [node.id, { id: node.id, name: node.name, memberCount: node.member_count, children: [] }]),
    );
    nodes.set(id, root);
    for (const { id: nodeId, parent_id: parentId } of rows) {
      const node = nodes.get(nodeId);
      if (node && node !== root && parentId !== null) nodes.get(parentId)?.children.push(node);
    }
    return root;
  }

  listIdentityProviders(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<IdentityProviderSummary[]> {
    return this.query(
      ctx,
      IDENTITY_PROVIDER_ROW,
      'SELECT id, name, type, enabled FROM identity_providers WHERE tenant_id = $1 AND organization_id = $2 ORDER BY id',
      [tenantId, id],
    );
  }
}

const keysOf = (organizations: readonly OrganizationKey[]): [tenantIds: string[], ids: string[]] => [
  organizations.map(({ tenantId }) => tenantId),
  organizations.map(({ id }) => id),
];

function conditions(caller: Caller, filter: OrganizationFilter): { where: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const isDeleted = filter.status === 'deleted';
  const parts = [isDeleted ? 't.deleted_at IS NOT NULL AND t.deletion_root_id = t.id' : 't.deleted_at IS NULL'];
  if (filter.parent) parts.push(`t.tenant_id = ${parameter(filter.parent.tenantId)}`);
  else if (caller.tenantIds) parts.push(`t.tenant_id = ANY(${parameter(caller.tenantIds)})`);
  if (caller.kind !== 'platform') {
    const accessible = parameter(caller.organizationIds ?? []);
    parts.push(`(t.id = ANY(${accessible}) OR t.ancestor_ids && ${accessible})`);
    if (filter.topmost) parts.push(`NOT (t.ancestor_ids && ${accessible})`);
    const excluded = parameter(caller.inaccessibleOrganizationIds ?? []);
    parts.push(`NOT (t.id = ANY(${excluded}) OR t.ancestor_ids && ${excluded})`);
  }
  if (filter.topmost && caller.kind === 'platform') parts.push('t.parent_id IS NULL');
  if (filter.parent === null) parts.push('t.parent_id IS NULL');
  else if (filter.parent) parts.push(`t.parent_id = ${parameter(filter.parent.id)}`);
  if (filter.status !== undefined && !isDeleted) parts.push(`t.status = ${parameter(filter.status)}`);
  if (filter.type !== undefined) parts.push(`t.type = ${parameter(filter.type)}`);
  if (filter.search !== undefined) parts.push(`t.search_text LIKE ${parameter(`%${likeLiteral(searchKey(filter.search))}%`)}`);
  return { where: parts.join(' AND '), parameters };
}
