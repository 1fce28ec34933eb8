import { Injectable } from '@nestjs/common';
import { likeLiteral, type RequestContext, searchKey } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { type AddParameter, ScopeSql, type SearchScope } from './search-scope.js';
import type { FoundItem, PathOrganization, SearchTerm, SearchType } from './search-types.js';

/** The types that have one row for each resource, in an organization. People have one row for each organization. */
export type ResourceType = Exclude<SearchType, 'user'>;

/** The scopes by type, all of one tenant. */
type ResourceScopes = ReadonlyMap<ResourceType, SearchScope>;

export type ResourceTerm = Exclude<SearchTerm, { by: 'email' }>;

const FOUND_ROW = row({
  type: column.text<ResourceType>(),
  id: column.text(),
  name: column.text(),
  detail: column.nullable(column.text()),
  status: column.nullable(column.text()),
  organizationId: column.text(),
  path: column.nullable(column.json<PathOrganization[]>()),
});

interface Source {
  readonly table: string;
  readonly detail: string;
  readonly status: string;
  /** The text that the search matches, in the form of `searchKey`. */
  readonly text: string;
  readonly condition?: string;
}

/** Returns SQL for a text without case and accents, for tables that store no search text. An organization has only some hundred of their rows. */
const withoutAccents = (text: string): string => `regexp_replace(lower(normalize(${text}, NFKD)), '[\\u0300-\\u036f]', '', 'g')`;

/** `t` is the row of the resource, `o` its organization. */
const SOURCES: Readonly<Record<ResourceType, Source>> = {
  organization: { table: 'organizations', detail: 't.slug', status: 't.status', text: 't.search_text' },
  group: { table: 'groups', detail: 't.description', status: 'NULL', text: 't.search_text' },
  role: { table: 'roles', detail: 't.description', status: 'NULL', text: withoutAccents('t.name') },
  api_key: {
    table: 'api_keys',
    detail: `t.prefix || '…' || t.last4`,
    status: 'NULL',
    text: withoutAccents(`t.name || ' ' || t.prefix || ' ' || t.last4`),
    condition: 't.revoked_at IS NULL',
  },
  webhook: {
    table: 'webhooks',
    detail: 't.url',
    status: `CASE WHEN t.enabled THEN 'enabled' ELSE 'disabled' END`,
    text: withoutAccents(`t.name || ' ' || t.url`),
    condition: 't.deleted_at IS NULL',
  },
  oauth_client: {
    table: 'oauth_clients',
    detail: 't.home_page_uri',
    status: `CASE WHEN t.enabled THEN 'enabled' ELSE 'disabled' END`,
    text: withoutAccents('t.name'),
  },
};

/** Finds organizations, groups, roles, API keys, webhooks and OAuth clients. */
@Injectable()
export class ResourceSearchQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns up to `limit` results of each type in one tenant, first those with a word that begins with the text. */
  async find(ctx: RequestContext, scopes: ResourceScopes, term: ResourceTerm, limit: number): Promise<FoundItem[]> {
    const [first] = scopes.values();
    if (!first) return [];
    const parameters: unknown[] = [];
    const parameter: AddParameter = (value) => `$${parameters.push(value)}`;
    const parts = [...scopes].map(
      ([type, scope]) => `(${typeSql(type, new ScopeSql(scope, parameter), term, limit, parameter)})`,
    );
    const path = new ScopeSql(first, parameter).pathOf('f');
    const sql = `SELECT f.type, f.id, f.name, f.detail, f.status, f.organization_id AS "organizationId", ${path} AS path
      FROM (${parts.join(' UNION ALL ')}) f ORDER BY f.type, f.number`;
    const prepared = term.by === 'text' ? false : undefined;
    return this.query(ctx, FOUND_ROW, sql, parameters, { connection: 'replica', prepared });
  }
}

function typeSql(type: ResourceType, scope: ScopeSql, term: ResourceTerm, limit: number, parameter: AddParameter): string {
  const { table, detail, status, text, condition = 'true' } = SOURCES[type];
  const { match, order } = matchSql(text, term, parameter);
  return `SELECT '${type}' AS type, t.id, t.name, ${detail} AS detail, ${status} AS status, t.tenant_id, o.id AS organization_id,
      row_number() OVER (ORDER BY ${order})::int AS number
    FROM ${table} t ${organizationSql(type, scope)} WHERE ${scope.isOfTenant('t')} AND ${condition} AND ${match}
    ORDER BY number LIMIT ${limit}`;
}

function matchSql(text: string, term: ResourceTerm, parameter: AddParameter): { match: string; order: string } {
  if (term.by === 'id') return { match: `t.id = ${parameter(term.id)}`, order: 't.id' };
  const literal = likeLiteral(searchKey(term.text));
  const beginsWord = `' ' || ${text} LIKE ${parameter(`% ${literal}%`)}`;
  return { match: `${text} LIKE ${parameter(`%${literal}%`)}`, order: `${beginsWord} DESC, t.name, t.id` };
}

/**
 * Returns the join with the organization `o` of a result. A role is also visible in the descendants of its organization: a caller who can't
 * read that organization finds the role in the first of the caller's organizations.
 */
function organizationSql(type: ResourceType, scope: ScopeSql): string {
  const isOwn = `o.id = t.${type === 'organization' ? 'id' : 'organization_id'}`;
  const isInScope = `o.tenant_id = ${scope.tenantOf('t')} AND ${scope.contains('o')}`;
  const topmost = type === 'role' ? scope.isTopmost('o') : '';
  if (topmost === '') return `JOIN organizations o ON ${isOwn} AND ${isInScope}`;
  return `CROSS JOIN LATERAL (SELECT o.id FROM organizations o
    WHERE ${isInScope} AND (${isOwn} OR (t.organization_id = ANY (o.ancestor_ids) AND (${topmost})))
    ORDER BY ${isOwn} DESC, o.id LIMIT 1) o`;
}
