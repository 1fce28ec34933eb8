import { BUILT_IN_ROLES, type Directory, type Person, type DirectoryOrganization } from './directory.js';

export type ListQuery = Partial<Record<(typeof PARAMETERS)[number], string>>;
export const PARAMETERS = [
  'status',
  'email',
  'search',
  'role',
  'externalId',
  'createdAfter',
  'createdBefore',
  'sort',
  'limit',
  'after',
  'page',
] as const;

/** The expected response of the list: a page, or an error code. */
export type Expected =
  | { items: Record<string, unknown>[]; pagination: { total: number; page: number; limit: number; hasMore: boolean } }
  | { code: string };

/** Returns the text without accents and case, character by character, with single spaces, the letters and quotes of the data in ASCII. */
const folded = (text: string): string =>
  [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')]
    .map((character) => character.toLowerCase())
    .join('')
    .replaceAll('ς', 'σ')
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ')
    .trim();

function isFound({ email, firstName, lastName, displayName }: Person, search: string): boolean {
  const term = folded(search);
  const fullName = [firstName, lastName].filter(Boolean).join(' ');
  const texts = [email, firstName, lastName, displayName, fullName].map((text) => folded(text ?? ''));
  if (term.length >= 3) return texts.some((text) => text.includes(term));
  return texts.some((text) => text.split(' ').some((word) => word.startsWith(term)));
}

/**
 * Resolves a role id or name in an organization to the id of a built-in role, else of the nearest role of the organization and
 * its ancestors.
 */
function resolveRole({ roles }: Directory, organization: DirectoryOrganization, reference: string): string | undefined {
  const builtIn = BUILT_IN_ROLES.find((name) => reference === name || reference === `role_${name}`);
  if (builtIn) return `role_${builtIn}`;
  const upwards = [...organization.ancestorIds, organization.id].toReversed();
  const named = roles.filter(({ id, name }) => id === reference || name === reference);
  return upwards.flatMap((id) => named.filter((role) => role.organization.id === id))[0]?.id;
}

function matches(directory: Directory, organization: DirectoryOrganization, person: Person, query: ListQuery): boolean {
  const { status, email, search, role, externalId, createdAfter, createdBefore } = query;
  if (person.managedBy === directory.removed) return false;
  if (person.managedBy.id !== organization.id && !person.roles.has(organization.id)) return false;
  if (status === undefined ? person.status === 'deleted' : person.status !== status) return false;
  if (email !== undefined && person.email.toLowerCase() !== email.trim().toLowerCase()) return false;
  if (search !== undefined && !isFound(person, search)) return false;
  if (externalId !== undefined && (person.externalId !== externalId || person.managedBy.tenantId !== organization.tenantId))
    return false;
  if (createdAfter !== undefined && person.createdMs <= Date.parse(createdAfter)) return false;
  if (createdBefore !== undefined && person.createdMs >= Date.parse(createdBefore)) return false;
  if (role === undefined) return true;
  const roleId = resolveRole(directory, organization, role);
  return roleId !== undefined && (person.roles.get(organization.id) ?? []).includes(roleId);
}

/** Returns a comparator for the order. Its result is negative if `a` is before `b`. */
function comparatorFor(sort: string): (a: Person, b: Person) => number {
  const keyOf = {
    createdAt: () => '',
    lastLoginAt: ({ lastLoginMs }: Person) => lastLoginMs ?? -Infinity,
    email: ({ email }: Person) => email.toLowerCase(),
  }[sort.replace('-', '')]!;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    if (keyOf(a) !== keyOf(b)) return keyOf(a) < keyOf(b) ? -sign : sign;
    if (a.id === b.id) return 0;
    return a.id < b.id ? -sign : sign;
  };
}

/** Returns the expected response, computed from an array of all people. */
export function expectedResponse(directory: Directory, organization: DirectoryOrganization, query: ListQuery): Expected {
  const sort = query.sort ?? '-createdAt';
  const limit = Number(query.limit ?? 20);
  const compare = comparatorFor(sort);
  const matching = directory.people.filter((person) => matches(directory, organization, person, query)).sort(compare);
  let preceding = (Number(query.page ?? 1) - 1) * limit;
  if (query.after !== undefined) {
    const last = directory.people.find(({ id }) => id === query.after);
    const isHere = last && (last.managedBy.id === organization.id || last.roles.has(organization.id));
    if (!isHere && !sort.endsWith('createdAt')) return { code: 'cursor_gone' };
    // In the order by creation, any user id is a valid cursor, even the id of a user in another organization.
    const cursor = last ?? ({ id: query.after } as Person);
    preceding = matching.filter((person) => compare(person, cursor) <= 0).length;
  }
  const items = matching.slice(preceding, preceding + limit).map((person) => shown(directory, organization, person));
  const page = query.page === undefined ? Math.floor(preceding / limit) + 1 : Number(query.page);
  return { items, pagination: { total: matching.length, page, limit, hasMore: matching.length > preceding + limit } };
}

function shown({ roles: ownRoles }: Directory, organization: DirectoryOrganization, person: Person): Record<string, unknown> {
  const { id, email, firstName, lastName, displayName, externalId, status, createdMs, lastLoginMs } = person;
  const roles = (person.roles.get(organization.id) ?? []).map((roleId) => ({
    id: roleId,
    name: ownRoles.find((role) => role.id === roleId)?.name ?? roleId.replace('role_', ''),
  }));
  const times = {
    lastLoginAt: lastLoginMs === null ? null : new Date(lastLoginMs).toISOString(),
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(createdMs).toISOString(),
  };
  const fields = { id, email, firstName, lastName, displayName, externalId, status, emailVerified: false, mfaEnabled: false };
  const all = { ...fields, roles: roles.sort(byId), metadata: {}, ...times };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

export const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
