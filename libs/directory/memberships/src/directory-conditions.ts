import { emailKey, likeLiteral, type OrganizationScope, searchKey } from '#platform/common';

export interface DirectoryFilter {
  readonly membersOnly: boolean;
  readonly status?: string;
  readonly email?: string;
  /** Matches only users of the tenant of the organization. */
  readonly externalId?: string;
  readonly search?: string;
  readonly roleId?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

/** The entries of a directory that match a filter, as SQL: entries are called `e`, the tenant is $1 and the organization $2. */
export interface Conditions {
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly unknown[];
}

/** Filters by a role that does not exist. No role id and no dimension of the counts has this form. */
export const NONEXISTENT_ROLE_ID = 'role_';
/** Shorter terms match only the beginnings of words, because the index contains trigrams. */
const MIN_SUBSTRING_LENGTH = 3;

/** Excludes users whose managing organization is deleted: they are hidden until it is restored. */
const HOME_NOT_DELETED = `NOT EXISTS (SELECT FROM organizations o
  WHERE o.tenant_id = e.user_tenant_id AND o.id = e.user_organization_id AND o.deleted_at IS NOT NULL)`;

/** Returns whether the stored counts contain the number of matches. */
export function isCounted({ email, externalId, search, createdAfter, createdBefore, status }: DirectoryFilter): boolean {
  // The count of deleted users includes users whose managing organization is deleted, who are hidden.
  return [email, externalId, search, createdAfter, createdBefore].every((value) => value === undefined) && status !== 'deleted';
}

/** Returns whether a filter is expected to have few matches, which an index finds: then one read of all matches serves page and total. */
export function isSelective({ email, externalId, search }: DirectoryFilter): boolean {
  return email !== undefined || externalId !== undefined || (search !== undefined && searchKey(search) !== '');
}

/** Returns the filter as SQL; `entryColumns` are the columns of an entry that the query reads. */
export function conditionsOf(
  organization: Pick<OrganizationScope, 'id' | 'tenantId'>,
  filter: DirectoryFilter,
  entryColumns: readonly string[],
): Conditions {
  const parameters: unknown[] = [organization.tenantId, organization.id];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const parts = ['e.tenant_id = $1', 'e.organization_id = $2'];
  const status = filter.status === undefined ? `<> 'deleted'` : `= ${parameter(filter.status)}`;
  let from = 'directory_entries e';
  parts.push(`e.status ${status}`);
  if (filter.roleId !== undefined) {
    const role = parameter(filter.roleId);
    if (isCounted(filter) && entryColumns.every((column) => column === 'user_id')) {
      // A user with a role is a member, and assignments contain the status: an index has these users in order.
      from = `(SELECT tenant_id, organization_id, user_id, user_status AS status, true AS member
        FROM role_assignments WHERE role_id = ${role}) e`;
    } else {
      from += ` JOIN role_assignments r ON r.tenant_id = e.tenant_id AND r.organization_id = e.organization_id AND r.user_id = e.user_id`;
      parts.push(`r.tenant_id = $1 AND r.organization_id = $2 AND r.role_id = ${role} AND r.user_status ${status}`);
    }
  }
  if (filter.status === 'deleted') parts.push(HOME_NOT_DELETED);
  if (filter.membersOnly) parts.push('e.member');
  if (filter.email !== undefined) parts.push(`e.email_key = ${parameter(emailKey(filter.email.trim()))}`);
  if (filter.externalId !== undefined) {
    // The condition is explicit because the index on external ids contains only users who are not deleted.
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
  parts.push(...searchParts(filter, parameter));
  return { from, where: parts.join(' AND '), parameters };
}

function searchParts({ search }: DirectoryFilter, parameter: (value: unknown) => string): string[] {
  const term = search === undefined ? '' : searchKey(search);
  if (term === '') return [];
  const pattern = term.length < MIN_SUBSTRING_LENGTH ? `% ${likeLiteral(term)}%` : `%${likeLiteral(term)}%`;
  return ['ARRAY[e.organization_id] @> ARRAY[$2]', `e.search_text LIKE ${parameter(pattern)}`];
}
