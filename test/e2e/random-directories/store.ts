import type { TestApp } from '../../support/app.js';
import { userSearchText } from '../../../libs/directory/memberships/src/directory-user.js';
import type { Directory, Person, DirectoryOrganization } from './directory.js';

/** Inserts the numbers of users, of members and of users with each role. The service stores these numbers whenever it writes users. */
const INSERT_COUNTS = `
INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
SELECT tenant_id, organization_id, dimension, status, count(*) FROM (
  SELECT tenant_id, organization_id, d AS dimension, status FROM directory_entries, unnest(ARRAY['user', 'member']) AS d
  WHERE d = 'user' OR member
  UNION ALL SELECT tenant_id, organization_id, role_id, user_status FROM role_assignments
) counted WHERE tenant_id = ANY($1) GROUP BY 1, 2, 3, 4`;

/** Stores a directory with one statement per table, as if requests had created the rows. */
export async function storeDirectory(database: TestApp['database'], directory: Directory): Promise<void> {
  for (const [table, rows] of Object.entries(rowsOf(directory))) {
    const names = Object.keys(rows[0] ?? {}).join(', ');
    const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`;
    if (rows.length > 0) await database.query(sql, [JSON.stringify(rows)]);
  }
  await database.query(INSERT_COUNTS, [[...new Set(directory.organizations.map(({ tenantId }) => tenantId))]]);
}

function rowsOf({ organizations, roles, people }: Directory): Record<string, Record<string, unknown>[]> {
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now };
  const memberships = people.flatMap((person) =>
    [...person.roles].map(([organizationId, roleIds]) => ({ person, organization: organizationOf(organizationId), roleIds })),
  );
  function organizationOf(id: string) {
    return organizations.find((organization) => organization.id === id)!;
  }
  const entries = people.flatMap((person) => {
    const shownIn = organizations.filter(({ id }) => id === person.managedBy.id || person.roles.has(id));
    return shownIn.map((organization) => ({ person, organization }));
  });
  return {
    organizations: organizations.map(({ id, tenantId, ancestorIds }) => ({
      tenant_id: tenantId,
      id,
      parent_id: ancestorIds.at(-1) ?? null,
      ancestor_ids: ancestorIds,
      name: id,
      slug: id,
      ...times,
    })),
    organization_handles: organizations.map(({ id, tenantId }) => ({ handle: id, tenant_id: tenantId, organization_id: id })),
    event_streams: organizations.filter(({ id, tenantId }) => id === tenantId).map(({ id }) => ({ tenant_id: id })),
    roles: roles.map(({ id, name, organization }) => ({
      tenant_id: organization.tenantId,
      id,
      organization_id: organization.id,
      name,
      ...times,
    })),
    users: people.map((person) => ({
      tenant_id: person.managedBy.tenantId,
      id: person.id,
      organization_id: person.managedBy.id,
      email: person.email,
      email_key: person.email.toLowerCase(),
      first_name: person.firstName,
      last_name: person.lastName,
      display_name: person.displayName,
      external_id: person.externalId,
      status: person.status,
      status_before_deletion: person.status === 'deleted' ? 'active' : null,
      deleted_at: person.status === 'deleted' ? now : null,
      last_login_at: timeOf(person.lastLoginMs),
      created_at: timeOf(person.createdMs),
      updated_at: timeOf(person.createdMs),
    })),
    memberships: memberships.map(({ person, organization, roleIds }) => ({
      ...keyOf(organization, person),
      user_tenant_id: person.managedBy.tenantId,
      role_id: roleIds[0],
      announced: true,
      joined_at: now,
      updated_at: now,
    })),
    role_assignments: memberships.flatMap(({ person, organization, roleIds }) =>
      roleIds.map((roleId, index) => ({
        ...keyOf(organization, person),
        role_id: roleId,
        explicit: index > 0,
        user_status: person.status,
        assigned_at: now,
      })),
    ),
    directory_entries: entries.map(({ person, organization }) => ({
      ...keyOf(organization, person),
      user_tenant_id: person.managedBy.tenantId,
      user_organization_id: person.managedBy.id,
      managed: organization.id === person.managedBy.id,
      member: person.roles.has(organization.id),
      status: person.status,
      email_key: person.email.toLowerCase(),
      search_text: userSearchText(person),
      last_login_at: timeOf(person.lastLoginMs),
    })),
  };
}

const keyOf = (organization: DirectoryOrganization, person: Person) => ({
  tenant_id: organization.tenantId,
  organization_id: organization.id,
  user_id: person.id,
});
const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
