import { type Caller, callerFor, hasPermission } from '#platform/common';
import { SEARCH_TYPES, type SearchType } from './search-types.js';

/**
 * The organizations in which a search looks, with their descendants. A search of a platform key looks in all tenants; all other searches
 * look in one tenant.
 */
export interface SearchScope {
  readonly tenantId: string | undefined;
  /** Of each list, an organization or one of its ancestors must be included. Undefined: all organizations. */
  readonly within: readonly (readonly string[])[] | undefined;
  readonly excluded: readonly string[];
}

/** Adds a value to the parameters of a statement, and returns its placeholder. */
export type AddParameter = (value: unknown) => string;

/** Returns where the caller can find results of a type, in each tenant. `caller` is limited to organizations that the caller can read. */
export function scopesOf(caller: Caller, type: SearchType): SearchScope[] {
  const { permission } = SEARCH_TYPES[type];
  if (caller.kind === 'platform') return [{ tenantId: undefined, within: undefined, excluded: [] }];
  const granted = callerFor(caller, permission).organizationIds ?? [];
  if (granted.length === 0 || !(caller.grants || hasPermission(caller.permissions, permission))) return [];
  const readable = caller.organizationIds ?? [];
  const within = caller.grants && permission !== SEARCH_TYPES.organization.permission ? [readable, granted] : [readable];
  const excluded = caller.inaccessibleOrganizationIds ?? [];
  return (caller.tenantIds ?? []).map((tenantId) => ({ tenantId, within, excluded }));
}

/** Returns whether a search looks in all organizations of its tenant. */
export const coversTenant = ({ tenantId, within }: SearchScope): boolean =>
  within === undefined || within.every((ids) => tenantId !== undefined && ids.includes(tenantId));

/** The SQL of a scope. Citus needs the tenant as a parameter of each table to use only the shard of the tenant. */
export class ScopeSql {
  private readonly tenant: string | undefined;

  constructor(
    private readonly scope: SearchScope,
    private readonly parameter: AddParameter,
  ) {
    this.tenant = scope.tenantId === undefined ? undefined : parameter(scope.tenantId);
  }

  /** Returns the SQL of the tenant of a row. */
  tenantOf(alias: string): string {
    return this.tenant ?? `${alias}.tenant_id`;
  }

  isOfTenant(alias: string): string {
    return this.tenant === undefined ? 'true' : `${alias}.tenant_id = ${this.tenant}`;
  }

  /** Returns the condition that an organization is in the scope. */
  contains(alias: string): string {
    const { within = [], excluded } = this.scope;
    const parts = [`${alias}.deleted_at IS NULL`, ...within.map((ids) => this.isWithin(alias, ids))];
    if (excluded.length > 0) parts.push(`NOT ${this.isWithin(alias, excluded)}`);
    return parts.join(' AND ');
  }

  /** Returns the condition that an organization is one of the topmost organizations of the scope. */
  isTopmost(alias: string): string {
    return (this.scope.within ?? []).map((ids) => `${alias}.id = ANY (${this.parameter(ids)})`).join(' OR ');
  }

  /** Returns the organization of a row and its ancestors, from the root, as a JSON array. Null without a tenant, because Citus has no such subqueries. */
  pathOf(alias: string): string {
    const { tenant } = this;
    if (tenant === undefined) return 'NULL::json';
    return `(SELECT json_agg(json_build_object('id', a.id, 'name', a.name) ORDER BY cardinality(a.ancestor_ids))
      FROM organizations s JOIN organizations a ON a.tenant_id = ${tenant} AND a.id = ANY (s.ancestor_ids || s.id)
      WHERE s.tenant_id = ${tenant} AND s.id = ${alias}.organization_id)`;
  }

  private isWithin(alias: string, ids: readonly string[]): string {
    const list = this.parameter(ids);
    return `(${alias}.id = ANY (${list}) OR ${alias}.ancestor_ids && ${list})`;
  }
}
