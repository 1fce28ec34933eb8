import * as fc from 'fast-check';
import { firstIdAt, newId, type OrganizationScope } from '#platform/common';
import { userSearchText } from '../../libs/directory/memberships/src/directory-user.js';
import type { TestApp } from '../support/app.js';
import { insertOrganizations, insertRows } from '../support/insert-rows.js';

/** The first four organizations are one tenant, with the first as the root. The fifth is another tenant. */
export type DirectoryOrganization = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

interface OwnRole {
  readonly id: string;
  readonly name: string;
  readonly organization: DirectoryOrganization;
}

export interface Directory {
  readonly organizations: readonly DirectoryOrganization[];
  readonly roles: readonly OwnRole[];
  readonly people: readonly Person[];
  /** The organization that is deleted with its users. No list request concerns this organization. */
  readonly removed: DirectoryOrganization | undefined;
}

export const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
export const HOUR_MS = 3_600_000;
export const CREATED_HOURS = 8;
export const BUILT_IN_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

const ROOT = 0;
const PARENTS = [undefined, ROOT, ROOT, 1, undefined];
/** Some names are reused in child organizations, where the nearest role applies. */
const ROLES = [
  { name: 'editor', at: 0 },
  { name: 'Prüfer', at: 0 },
  { name: 'editor', at: 1 },
  { name: 'editor', at: 4 },
];

/** Few words, so that people share names. Some are difficult for SQL or for ignoring case and accents. */
const NAMES = ['Ada', 'ADA', 'ada lovelace', 'Zoë', 'ÅNGSTRÖM', '50%', 'a_b', 'x\\y', 'O’Neil', 'Jean-Luc', 'Straße', 'ΟΔΥΣΣΕΥΣ'];
const LOCAL_PARTS = ['ada', 'Ada', 'a_b', 'a%b', 'zoe.50', 'x'];
const EXTERNAL_IDS = ['1', 'A', 'a', 'a%', 'hr_1'];

const name = fc.option(fc.constantFrom(...NAMES), { freq: 3 });
const membership = fc.record({ at: fc.nat(4), roles: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }) });
const drawnPerson = fc.record({
  managedBy: fc.nat(4),
  local: fc.constantFrom(...LOCAL_PARTS),
  domain: fc.constantFrom('x.example', 'Y.example'),
  firstName: name,
  lastName: name,
  displayName: name,
  externalId: fc.option(fc.constantFrom(...EXTERNAL_IDS), { freq: 1 }),
  status: fc.constantFrom('active', 'active', 'pending', 'suspended', 'deleted'),
  createdHour: fc.nat(CREATED_HOURS),
  lastLoginHour: fc.option(fc.nat(4), { freq: 2 }),
  memberships: fc.uniqueArray(membership, { maxLength: 3, selector: ({ at }) => at }),
});

/** Has role ids by organization id. The first role is the role of the membership. */
export interface Person extends Omit<typeof drawnPerson extends fc.Arbitrary<infer T> ? T : never, 'managedBy'> {
  readonly id: string;
  readonly managedBy: DirectoryOrganization;
  readonly email: string;
  readonly createdMs: number;
  readonly lastLoginMs: number | null;
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

/** 5 to 40 people in five organizations, with at most one deleted leaf organization, and the seed of the list requests. */
export const drawnDirectory = fc.record({
  people: fc.array(drawnPerson, { minLength: 5, maxLength: 40, size: 'max' }),
  seed: fc.nat(),
  removal: fc.option(fc.constant(3), { nil: undefined, freq: 1 }),
});
type DrawnDirectory = typeof drawnDirectory extends fc.Arbitrary<infer T> ? T : never;

/** Returns an ID with a creation time. */
export const idAt = (kind: 'user' | 'organization' | 'role', ms: number): string =>
  firstIdAt(kind, new Date(ms)).slice(0, -16) + newId(kind).slice(-16);

/** Creates people from the drawn values. People with a duplicate email or external id in a tenant become deleted users. */
export function directoryOf(drawn: DrawnDirectory): Directory {
  const organizations: DirectoryOrganization[] = [];
  for (const parent of PARENTS) {
    const id = idAt('organization', START_MS);
    const parentOrganization = parent === undefined ? undefined : organizations[parent]!;
    organizations.push({
      id,
      tenantId: parentOrganization?.tenantId ?? id,
      ancestorIds: parentOrganization ? [...parentOrganization.ancestorIds, parentOrganization.id] : [],
    });
  }
  const roles = ROLES.map(({ name, at }) => ({ id: idAt('role', START_MS), name, organization: organizations[at]! }));
  const usedKeys = new Set<string>();
  const people = drawn.people.map((each): Person => {
    const managedBy = organizations[each.managedBy]!;
    const email = `${each.local}@${each.domain}`;
    const unique = [
      `${managedBy.tenantId} ${email.toLowerCase()}`,
      ...(each.externalId ? [`${managedBy.tenantId} id ${each.externalId}`] : []),
    ];
    const status = unique.some((key) => usedKeys.has(key)) ? 'deleted' : each.status;
    if (status !== 'deleted') for (const key of unique) usedKeys.add(key);
    const createdMs = START_MS + each.createdHour * HOUR_MS;
    const rolesByOrganization = each.memberships.map(({ at, roles: picks }): [string, string[]] => {
      const organization = organizations[at]!;
      const assignable = assignableRoles(roles, organization);
      return [organization.id, [...new Set(picks.map((pick) => assignable[pick % assignable.length]!))]];
    });
    const lastLoginMs = each.lastLoginHour === null ? null : START_MS + each.lastLoginHour * HOUR_MS;
    const id = idAt('user', createdMs);
    return { ...each, id, managedBy, email, status, createdMs, lastLoginMs, roles: new Map(rolesByOrganization) };
  });
  return { organizations, roles, people, removed: drawn.removal === undefined ? undefined : organizations[drawn.removal] };
}

function assignableRoles(roles: readonly OwnRole[], organization: DirectoryOrganization): string[] {
  const own = roles.filter(({ organization: { id } }) => id === organization.id || organization.ancestorIds.includes(id));
  return [...BUILT_IN_ROLES.map((name) => `role_${name}`), ...own.map(({ id }) => id)];
}

/** Inserts the numbers of users, of members and of users with each role. The service stores these numbers whenever it writes users. */
const INSERT_COUNTS = `
INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
SELECT tenant_id, organization_id, dimension, status, count(*) FROM (
  SELECT tenant_id, organization_id, d AS dimension, status FROM directory_entries, unnest(ARRAY['user', 'member']) AS d
  WHERE d = 'user' OR member
  UNION ALL SELECT tenant_id, organization_id, role_id, user_status FROM role_assignments
) counted WHERE tenant_id = ANY($1) GROUP BY 1, 2, 3, 4`;

/** Stores a directory as if requests had created the rows. */
export async function storeDirectory(database: TestApp['database'], directory: Directory): Promise<void> {
  await insertOrganizations(database, ...directory.organizations);
  await insertRows(database, rowsOf(directory));
  await database.query(INSERT_COUNTS, [[...new Set(directory.organizations.map(({ tenantId }) => tenantId))]]);
}

function rowsOf({ organizations, roles, people }: Directory): Record<string, object[]> {
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now };
  const shown = people.flatMap((person) =>
    organizations.map((organization) => ({ person, organization, roleIds: person.roles.get(organization.id) ?? [] })),
  );
  const memberships = shown.filter(({ roleIds }) => roleIds.length > 0);
  const entries = shown.filter(({ person, organization, roleIds }) => person.managedBy === organization || roleIds.length > 0);
  return {
    event_streams: organizations.filter(({ id, tenantId }) => id === tenantId).map(({ id }) => ({ tenant_id: id })),
    roles: roles.map(({ id, name, organization }) => {
      return { tenant_id: organization.tenantId, id, organization_id: organization.id, name, ...times };
    }),
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
    memberships: memberships.map(({ person, organization, roleIds }) => {
      const times = { announced: true, joined_at: now, updated_at: now };
      return { ...keyOf(organization, person), user_tenant_id: person.managedBy.tenantId, role_id: roleIds[0], ...times };
    }),
    role_assignments: memberships.flatMap(({ person, organization, roleIds }) =>
      roleIds.map((role_id, index) => {
        const assigned = { explicit: index > 0, user_status: person.status, assigned_at: now };
        return { ...keyOf(organization, person), role_id, ...assigned };
      }),
    ),
    directory_entries: entries.map(({ person, organization, roleIds }) => ({
      ...keyOf(organization, person),
      user_tenant_id: person.managedBy.tenantId,
      user_organization_id: person.managedBy.id,
      managed: organization === person.managedBy,
      member: roleIds.length > 0,
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
