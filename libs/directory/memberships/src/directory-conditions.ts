import { emailKey, likeLiteral, type OrganizationScope, searchKey } from '#platform/common';

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

/** A directory or what a filter leaves of it, as SQL: entries are called `e`, the tenant is $1 and the organization $2. */
export interface Conditions {
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly unknown[];
}

/** Filters by a role that does not exist, which nobody holds: no id of a role has this form, nor has a dimension of the counts. */
export const NOBODYS_ROLE_ID = 'role_';
/** Shorter terms match the beginnings of words, since an index of trigrams knows nothing shorter. */
const MIN_SUBSTRING_LENGTH = 3;

/** Users that went with their organization are nowhere to be seen until it is restored. */
const HOME_NOT_DELETED = `NOT EXISTS (SELECT FROM organizations o
  WHERE o.tenant_id = e.user_tenant_id AND o.id = e.user_organization_id AND o.deleted_at IS NOT NULL)`;

/** Whether the counts that are kept say how many there are. */
export function isCounted({ email, externalId, search, createdAfter, createdBefore, status }: DirectoryFilter): boolean {
  // Entries of users that went with their organization count as deleted, too, but are not shown.
  return [email, externalId, search, createdAfter, createdBefore].every((value) => value === undefined) && status !== 'deleted';
}

/** Whether few are expected to pass, found by an index of its own: then all of them are read at once, page and total from the same rows. */
export function isSelective({ email, externalId, search }: DirectoryFilter): boolean {
  return email !== undefined || externalId !== undefined || (search !== undefined && searchKey(search) !== '');
}

/** The filter as SQL; `entryColumns` are those that the query reads of an entry beside. */
export function conditionsOf(
  place: Pick<OrganizationScope, 'id' | 'tenantId'>,
  filter: DirectoryFilter,
  entryColumns: readonly string[],
): Conditions {
  const parameters: unknown[] = [place.tenantId, place.id];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const parts = ['e.tenant_id = $1', 'e.organization_id = $2'];
  const status = filter.status === undefined ? `<> 'deleted'` : `= ${parameter(filter.status)}`;
  let from = 'directory_entries e';
  parts.push(`e.status ${status}`);
  if (filter.roleId !== undefined) {
    const role = parameter(filter.roleId);
    if (isCounted(filter) && entryColumns.every((column) => column === 'user_id')) {
      // Who holds a role is a member, and assignments know the status: an index has the holders in order, whatever else is in the directory.
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
  parts.push(...searchParts(filter, parameter));
  return { from, where: parts.join(' AND '), parameters };
}

function searchParts({ search }: DirectoryFilter, parameter: (value: unknown) => string): string[] {
  const term = search === undefined ? '' : searchKey(search);
  if (term === '') return [];
  const pattern = term.length < MIN_SUBSTRING_LENGTH ? `% ${likeLiteral(term)}%` : `%${likeLiteral(term)}%`;
  return ['ARRAY[e.organization_id] @> ARRAY[$2]', `e.search_text LIKE ${parameter(pattern)}`];
}
