import { emailKey, firstIdAt, likeLiteral, type OrganizationScope, searchKey } from '#platform/common';

export interface DirectoryFilter {
  readonly membersOnly: boolean;
  /** Whether the organization manages the users. With descendants: whether one of the organizations does. */
  readonly managed?: boolean;
  readonly status?: string;
  readonly email?: string;
  /** External id of a user of the tenant. Guests never match. */
  readonly externalId?: string;
  readonly search?: string;
  readonly roleId?: string;
  /** Id of a group of the organization. Its placeholder is $3. */
  readonly groupId?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

/** A filter of a directory, as SQL. `e` is the directory entry, $1 the tenant and $2 the organization. */
export interface Conditions {
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly unknown[];
}

/** How a statement names the organizations whose directories it reads: conditions for a column, and for an array of one column. */
export interface DirectoryScope {
  readonly is: string;
  readonly overlaps: string;
  /** Users whom another organization manages. */
  readonly notManaged: string;
}

/** The organization $2. */
const ONE_ORGANIZATION: DirectoryScope = { is: '= $2', overlaps: '@> ARRAY[$2]', notManaged: 'NOT e.managed' };

/** A role id for a filter that matches no user: no role and no dimension of the counts has this id. */
export const NONEXISTENT_ROLE_ID = 'role_';
/**
 * Minimum length of a search term that matches inside words. A shorter term has no trigram for the index, so the term matches only the
 * beginnings of words.
 */
const MIN_SUBSTRING_LENGTH = 3;

/** Applies to users of the tenant. Organizations of guests are in other tenants. */
const MANAGING_ORGANIZATION_NOT_DELETED = `NOT EXISTS (SELECT FROM organizations o
  WHERE o.tenant_id = $1 AND o.id = e.user_organization_id AND o.deleted_at IS NOT NULL)`;

/** Returns whether the number of users that match a filter is in the stored counts. */
export function isCounted(filter: DirectoryFilter): boolean {
  const { managed, email, externalId, search, createdAfter, createdBefore, status } = filter;
  // The stored count of deleted users includes users of deleted organizations, but lists exclude these users.
  const others = [managed, email, externalId, search, createdAfter, createdBefore];
  return others.every((value) => value === undefined) && status !== 'deleted';
}

/** Returns whether a filter probably has few matches, which an index finds. */
export function isSelective({ email, externalId, search }: DirectoryFilter): boolean {
  return email !== undefined || externalId !== undefined || (search !== undefined && searchKey(search) !== '');
}

/**
 * Returns the filter as SQL. `entryColumns` are the columns of an entry that the query reads. `scope` names the organizations, with the
 * `scopeParameters` from $3 on.
 */
export function conditionsOf(
  organization: Pick<OrganizationScope, 'id' | 'tenantId'>,
  filter: DirectoryFilter,
  entryColumns: readonly string[],
  scope: DirectoryScope = ONE_ORGANIZATION,
  scopeParameters: readonly unknown[] = [],
): Conditions {
  const parameters: unknown[] = [organization.tenantId, organization.id, ...scopeParameters];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  // With many tenants, PostgreSQL expects only one entry in an organization, so that any index by organization looks as good as the index on
  // email addresses, or for several organizations as the index of the search. With an expression it can use none of them.
  const isSearchOfScope = scope !== ONE_ORGANIZATION && isSelective(filter);
  const organizationColumn = filter.email !== undefined || isSearchOfScope ? `e.organization_id || ''` : 'e.organization_id';
  const parts = ['e.tenant_id = $1', `${organizationColumn} ${scope.is}`];
  const group = filter.groupId === undefined ? undefined : parameter(filter.groupId);
  const status = filter.status === undefined ? `<> 'deleted'` : `= ${parameter(filter.status)}`;
  let from = group === undefined ? 'directory_entries e' : entriesOfGroup(group, isSelective(filter));
  parts.push(`e.status ${status}`);
  if (filter.roleId !== undefined) {
    const role = parameter(filter.roleId);
    if (group === undefined && isCounted(filter) && entryColumns.every((column) => column === 'user_id')) {
      // Reads only role assignments, whose index contains the status. Every user with a role is a member.
      from = `(SELECT tenant_id, organization_id, user_id, user_status AS status, true AS member
        FROM role_assignments WHERE role_id = ${role}) e`;
    } else {
      from += ` JOIN role_assignments r ON r.tenant_id = e.tenant_id AND r.organization_id = e.organization_id AND r.user_id = e.user_id`;
      parts.push(`r.tenant_id = $1 AND r.organization_id ${scope.is} AND r.role_id = ${role} AND r.user_status ${status}`);
    }
  }
  if (filter.status === 'deleted') parts.push(MANAGING_ORGANIZATION_NOT_DELETED);
  if (filter.membersOnly) parts.push('e.member');
  if (filter.managed !== undefined) parts.push(filter.managed ? 'e.managed' : scope.notManaged);
  if (filter.email !== undefined) parts.push(`e.email_key = ${parameter(emailKey(filter.email.trim()))}`);
  if (filter.externalId !== undefined) {
    // Repeats the condition on the status for the index on external ids, which contains no deleted users.
    const status = filter.status === 'deleted' ? `u.status = 'deleted'` : `u.status <> 'deleted'`;
    parts.push(
      `e.user_id IN (SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.external_id = ${parameter(filter.externalId)} AND ${status})`,
    );
  }
  if (filter.createdAfter !== undefined || filter.createdBefore !== undefined) {
    from += ` LEFT JOIN users u ON u.tenant_id = $1 AND u.id = e.user_id`;
    parts.push(...createdParts(filter, parameter));
  }
  parts.push(...searchParts(filter, parameter, scope));
  return { from, where: parts.join(' AND '), parameters };
}

/**
 * Returns the entries `e` of the members of a group. A list reads them in the order of the members of the group, entry by entry, and stops
 * at its limit: `OFFSET 0` prevents a join that reads all entries. A search finds entries first.
 */
function entriesOfGroup(group: string, isSearch: boolean): string {
  const ofGroup = `g.tenant_id = $1 AND g.organization_id = $2 AND g.group_id = ${group}`;
  if (isSearch) return `directory_entries e JOIN group_members g ON g.user_id = e.user_id AND ${ofGroup}`;
  return `(SELECT d.tenant_id, d.organization_id, g.user_id, d.user_organization_id, d.managed, d.status, d.member, d.email_key, d.last_login_at
    FROM group_members g CROSS JOIN LATERAL (SELECT * FROM directory_entries n
      WHERE n.tenant_id = $1 AND n.organization_id = $2 AND n.user_id = g.user_id OFFSET 0) d
    WHERE ${ofGroup}) e`;
}

function searchParts({ search }: DirectoryFilter, parameter: (value: unknown) => string, { overlaps }: DirectoryScope): string[] {
  const term = search === undefined ? '' : searchKey(search);
  if (term === '') return [];
  const pattern = term.length < MIN_SUBSTRING_LENGTH ? `% ${likeLiteral(term)}%` : `%${likeLiteral(term)}%`;
  return [`ARRAY[e.organization_id] ${overlaps}`, `e.search_text LIKE ${parameter(pattern)}`];
}

/** Returns the conditions for the time of creation. For a guest, who is not a user `u` of the tenant, the id contains the time. */
function createdParts({ createdAfter, createdBefore }: DirectoryFilter, parameter: (value: unknown) => string): string[] {
  const condition = (comparison: '<' | '>', time: Date, firstOfGuests: Date) => {
    const isOfGuest = `e.user_id ${comparison === '<' ? '<' : '>='} ${parameter(firstIdAt('user', firstOfGuests))}`;
    return `CASE WHEN u.id IS NULL THEN ${isOfGuest} ELSE u.created_at ${comparison} ${parameter(time)} END`;
  };
  return [
    ...(createdAfter ? [condition('>', createdAfter, new Date(createdAfter.getTime() + 1))] : []),
    ...(createdBefore ? [condition('<', createdBefore, createdBefore)] : []),
  ];
}
