import { Injectable } from '@nestjs/common';
import { likeLiteral, type RequestContext, searchKey } from '#platform/common';
import { visibleName } from '#directory/memberships';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { type AddParameter, coversTenant, ScopeSql, type SearchScope } from './search-scope.js';
import type { FoundItem, PathOrganization, SearchTerm } from './search-types.js';

const NAME_COLUMNS = {
  email: column.nullable(column.text()),
  firstName: column.nullable(column.text()),
  lastName: column.nullable(column.text()),
  displayName: column.nullable(column.text()),
};
const PERSON_ROW = row({
  id: column.text(),
  /** The tenant of the user, if the user is a guest. */
  guestTenantId: column.nullable(column.text()),
  status: column.text(),
  organizationId: column.text(),
  path: column.nullable(column.json<PathOrganization[]>()),
  ...NAME_COLUMNS,
});
const GUEST_ROW = row({ id: column.text(), ...NAME_COLUMNS });

type Person = RowOf<typeof PERSON_ROW>;

const NAMES = `u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName"`;

/** The number of entries of which a search sorts the best to the top. A frequent text has more, which nobody would page through. */
const MAX_CANDIDATES = 500;
/** As in lists: a shorter text has no trigram for the index, so it matches only the beginnings of words. */
const MIN_SUBSTRING_LENGTH = 3;

/** Finds people in the directories of organizations, each person once. */
@Injectable()
export class PeopleSearchQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns up to `limit` people in their managing organization or, if it is not in the scope, in another one of theirs; first those with a
   * name or address that begins with the text. Deleted people are not returned.
   */
  async find(ctx: RequestContext, scope: SearchScope, term: SearchTerm, limit: number): Promise<FoundItem[]> {
    const parameters: unknown[] = [];
    const parameter: AddParameter = (value) => `$${parameters.push(value)}`;
    const scopeSql = new ScopeSql(scope, parameter);
    const { match, order } = matchSql(term, parameter);
    const sql = `WITH matches AS MATERIALIZED (
        SELECT e.tenant_id, e.organization_id, e.user_id, e.user_tenant_id, e.managed, e.status, e.search_text
        FROM directory_entries e ${isInScope(scope, scopeSql)} AND ${match} AND e.status <> 'deleted'
        LIMIT ${MAX_CANDIDATES}
      ), people AS MATERIALIZED (
        SELECT p.* FROM (SELECT DISTINCT ON (user_id) * FROM matches ORDER BY user_id, managed DESC, organization_id) p
        ORDER BY ${order} LIMIT ${limit}
      )
      SELECT p.user_id AS id, CASE WHEN p.user_tenant_id <> p.tenant_id THEN p.user_tenant_id END AS "guestTenantId", p.status,
        p.organization_id AS "organizationId", ${scopeSql.pathOf('p')} AS path, ${NAMES}
      FROM people p LEFT JOIN users u ON u.tenant_id = ${scopeSql.tenantOf('p')} AND u.id = p.user_id ORDER BY ${order}`;
    const prepared = term.by === 'text' ? false : undefined;
    const people = await this.query(ctx, PERSON_ROW, sql, parameters, { connection: 'replica', prepared });
    return this.withNames(ctx, people);
  }

  /** Reads the names of guests, who are users of other tenants. Omits guests who were purged between the two statements. */
  private async withNames(ctx: RequestContext, people: readonly Person[]): Promise<FoundItem[]> {
    const guests = new Map<string, RowOf<typeof GUEST_ROW>>();
    for (const tenantId of new Set(people.flatMap(({ guestTenantId }) => guestTenantId ?? []))) {
      const ids = people.filter(({ guestTenantId }) => guestTenantId === tenantId).map(({ id }) => id);
      const sql = `SELECT u.id, ${NAMES} FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`;
      const found = await this.query(ctx, GUEST_ROW, sql, [tenantId, ids], { connection: 'replica' });
      for (const guest of found) guests.set(guest.id, guest);
    }
    return people.flatMap(({ id, status, organizationId, path, ...person }) => {
      const { email, firstName, lastName, displayName } = guests.get(id) ?? person;
      if (email === null) return [];
      const name = visibleName({ email, firstName, lastName, displayName });
      return [{ type: 'user' as const, id, name, detail: email, status, organizationId, path }];
    });
  }
}

function matchSql(term: SearchTerm, parameter: AddParameter): { match: string; order: string } {
  if (term.by === 'id') return { match: `e.user_id = ${parameter(term.id)}`, order: 'p.user_id' };
  if (term.by === 'email') return { match: `e.email_key = ${parameter(term.emailKey)}`, order: 'p.user_id' };
  const key = searchKey(term.text);
  const beginsWord = parameter(`% ${likeLiteral(key)}%`);
  const pattern = key.length < MIN_SUBSTRING_LENGTH ? beginsWord : parameter(`%${likeLiteral(key)}%`);
  return {
    match: `e.search_text LIKE ${pattern}`,
    order: `p.search_text LIKE ${beginsWord} DESC, p.search_text, p.user_id`,
  };
}

/**
 * Returns SQL for the entries in a scope. In one tenant it has no join, because PostgreSQL expects few entries of a joined organization and
 * would read all of them. So it compares the estimates: a frequent text matches soon in any entries, a rare text is found by its trigrams.
 */
function isInScope(scope: SearchScope, scopeSql: ScopeSql): string {
  if (scope.tenantId === undefined)
    return `JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id AND ${scopeSql.contains('o')} WHERE true`;
  const isAll = coversTenant(scope) && scope.excluded.length === 0;
  const condition = isAll ? 'o.deleted_at IS NOT NULL' : scopeSql.contains('o');
  const ids = `ARRAY(SELECT o.id FROM organizations o WHERE ${scopeSql.isOfTenant('o')} AND ${condition})`;
  return `WHERE ${scopeSql.isOfTenant('e')} AND e.organization_id ${isAll ? '<> ALL' : '= ANY'} (${ids})`;
}
