import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import type { Random } from '../../faults/random.js';

/**
 * An organization of a random directory. The first four organizations are one tenant, with the first as the root. The fifth is
 * another tenant.
 */
export interface DirectoryOrganization {
  readonly id: string;
  readonly tenantId: string;
  readonly ancestorIds: readonly string[];
}

export interface OwnRole {
  readonly id: string;
  readonly name: string;
  readonly organization: DirectoryOrganization;
}

export interface Person {
  readonly id: string;
  readonly managedBy: DirectoryOrganization;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly displayName: string | null;
  readonly externalId: string | null;
  readonly status: string;
  readonly createdMs: number;
  readonly lastLoginMs: number | null;
  /** Role ids by organization id. The first role is the role of the membership. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
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
export const NAMES = [
  'Ada',
  'ADA',
  'ada lovelace',
  'Zoë',
  'ÅNGSTRÖM',
  '50%',
  'a_b',
  'x\\y',
  'O’Neil',
  'Jean-Luc',
  'Straße',
  'ΟΔΥΣΣΕΥΣ',
];
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

/** 5 to 40 people in five organizations, with at most one deleted leaf organization, and the seed of the list requests. */
export const drawnDirectory = fc.record({
  people: fc.array(drawnPerson, { minLength: 5, maxLength: 40, size: 'max' }),
  seed: fc.nat(),
  removal: fc.option(fc.constant(3), { nil: undefined, freq: 1 }),
});
export type DrawnDirectory = typeof drawnDirectory extends fc.Arbitrary<infer T> ? T : never;

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a TypeID with a creation time: the time in ten digits, version 7, the variant, then random digits. */
export function idAt(prefix: string, ms: number): string {
  const time = Array.from({ length: 10 }, (_, digit) => BASE32[Math.floor(ms / 2 ** (45 - 5 * digit)) % 32]).join('');
  const hex = randomBytes(7).toString('hex');
  return `${prefix}_${time}e${hex.slice(0, 2)}8${hex.slice(2, 14)}`;
}

/** Creates people from the drawn values. People with a duplicate email or external id in a tenant become deleted users. */
export function directoryOf(drawn: DrawnDirectory): Directory {
  const organizations: DirectoryOrganization[] = [];
  for (const parent of PARENTS) {
    const id = idAt('org', START_MS);
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
    const { firstName, lastName, displayName, externalId } = each;
    const names = { firstName, lastName, displayName };
    return {
      id: idAt('usr', createdMs),
      managedBy,
      email,
      ...names,
      externalId,
      status,
      createdMs,
      lastLoginMs,
      roles: new Map(rolesByOrganization),
    };
  });
  return { organizations, roles, people, removed: drawn.removal === undefined ? undefined : organizations[drawn.removal] };
}

function assignableRoles(roles: readonly OwnRole[], organization: DirectoryOrganization): string[] {
  const own = roles.filter(({ organization: { id } }) => id === organization.id || organization.ancestorIds.includes(id));
  return [...BUILT_IN_ROLES.map((name) => `role_${name}`), ...own.map(({ id }) => id)];
}

/** Returns a part of a person's name or email, or a text that matches no person. */
export function searchTerm(random: Random, { people }: Directory): string {
  if (random.chance(0.2)) return random.pick(['%', '_', '\\', 'σ', 'a%', 'nobody', ' ', 'n a', '@x', 'ss']);
  const { email, firstName, lastName, displayName } = random.pick(people);
  const text = random.pick([email, firstName ?? email, displayName ?? email, [firstName, lastName].filter(Boolean).join(' ')]);
  const from = random.chance(0.5) ? 0 : random.between(0, text.length);
  const piece = text.slice(from, from + random.between(1, 8));
  return random.pick([piece, piece.toUpperCase(), piece.toLowerCase(), piece.normalize('NFD')]);
}
