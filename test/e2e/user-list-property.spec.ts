import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Random } from '../faults/random.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';
import {
  BUILT_IN_ROLES,
  CREATED_HOURS,
  type Directory,
  directoryOf,
  type DirectoryOrganization,
  drawnDirectory,
  HOUR_MS,
  idAt,
  type Person,
  START_MS,
  storeDirectory,
} from './random-directory.js';

const DIRECTORIES = Number(process.env['DIRECTORIES'] ?? sized(6, 40, 2_000));
const LONG_TEST_MS = 60 * 60_000;
const CONCURRENCY = 8;
const SORTS = ['createdAt', '-createdAt', 'lastLoginAt', '-lastLoginAt', 'email', '-email'];

const FILTERS = ['status', 'email', 'search', 'role', 'externalId', 'createdAfter', 'createdBefore'] as const;
const PARAMETERS = [...FILTERS, 'sort', 'limit', 'after', 'page'] as const;
type ListQuery = Partial<Record<(typeof PARAMETERS)[number], string>>;

/** The expected response of the list: the users of a page, or an error code. */
type Expected =
  | { ids: string[]; pagination: { total: number; page: number; limit: number; hasMore: boolean } }
  | { code: string };

interface ListRequest {
  organization: DirectoryOrganization;
  query: ListQuery;
}

/** Returns a value for a parameter, mostly the value of a user. */
function valueOf(parameter: (typeof PARAMETERS)[number], random: Random, directory: Directory): string {
  const person = random.pick(directory.people);
  const time = () => new Date(START_MS + random.between(0, CREATED_HOURS) * HOUR_MS + random.pick([-1, 0, 0, 1])).toISOString();
  const role = random.pick(directory.roles);
  return {
    status: () => random.pick(['active', 'suspended', 'pending', 'deleted']),
    email: () => random.pick([person.email, person.email.toUpperCase(), ` ${person.email}`, person.email.slice(1)]),
    search: () => searchTerm(random, directory),
    role: () => random.pick([...BUILT_IN_ROLES, 'role_admin', 'role_member', role.id, role.id, role.name, 'nobody', 'editor']),
    externalId: () => person.externalId ?? random.pick(['1', 'a', 'A', 'none']),
    createdAfter: time,
    createdBefore: time,
    sort: () => random.pick(SORTS),
    limit: () => String(random.chance(0.7) ? random.between(1, 8) : random.between(1, 100)),
    after: () => (random.chance(0.1) ? idAt('user', START_MS + HOUR_MS) : person.id),
    page: () => String(random.between(1, 4)),
  }[parameter]();
}

/** Returns a part of a person's name or email, or a text that matches no person. */
function searchTerm(random: Random, { people }: Directory): string {
  if (random.chance(0.2)) return random.pick(['%', '_', '\\', 'σ', 'a%', 'nobody', ' ', 'n a', '@x', 'ss']);
  const { email, firstName, lastName, displayName } = random.pick(people);
  const text = random.pick([email, firstName ?? email, displayName ?? email, [firstName, lastName].filter(Boolean).join(' ')]);
  const from = random.chance(0.5) ? 0 : random.between(0, text.length);
  const piece = text.slice(from, from + random.between(1, 8));
  return random.pick([piece, piece.toUpperCase(), piece.toLowerCase(), piece.normalize('NFD')]);
}

/** Returns requests with each parameter alone, then with each pair except `after` with `page`, a rejected pair. */
function requestsFor(directory: Directory, random: Random): ListRequest[] {
  const pairs = PARAMETERS.flatMap((first, index) => PARAMETERS.slice(index + 1).map((second) => [first, second] as const));
  const together = pairs.filter(([first, second]) => !(first === 'after' && second === 'page'));
  const organizations = directory.organizations.filter((organization) => organization !== directory.removed);
  return [...PARAMETERS.map((parameter) => [parameter]), ...together].map((parameters) => ({
    organization: random.pick(organizations),
    query: Object.fromEntries(parameters.map((parameter) => [parameter, valueOf(parameter, random, directory)])),
  }));
}

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
function expectedResponse(directory: Directory, organization: DirectoryOrganization, query: ListQuery): Expected {
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
  const ids = matching.slice(preceding, preceding + limit).map(({ id }) => id);
  const page = query.page === undefined ? Math.floor(preceding / limit) + 1 : Number(query.page);
  return { ids, pagination: { total: matching.length, page, limit, hasMore: matching.length > preceding + limit } };
}

describe('a random user list', () => {
  const app = testApp();
  let requestCount = 0;
  let nonemptyCount = 0;

  /** `users.spec.ts` compares the fields of a listed user. */
  async function check(directory: Directory, { organization, query }: ListRequest): Promise<void> {
    const { status, body } = await app.api.platform.get(at(organization.id, `/users?${new URLSearchParams(query)}`)).whenServed();
    const ids = () => body.data.map(({ id }: Person) => id);
    const actual = status === 200 ? { ids: ids(), pagination: body.pagination } : { code: body.code };
    const expected = expectedResponse(directory, organization, query);
    expect({ query, ...actual }).toEqual({ query, ...expected });
    requestCount++;
    if ('ids' in expected && expected.ids.length > 0) nonemptyCount++;
  }

  it(
    `matches the reference model (${DIRECTORIES} directories)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(drawnDirectory, async (drawn) => {
          const directory = directoryOf(drawn);
          await storeDirectory(app.database, directory);
          if (directory.removed) await app.api.platform.delete(`/v1/organizations/${directory.removed.id}`).expect(204);
          const requests = requestsFor(directory, new Random(drawn.seed));
          const ask = async (): Promise<void> => {
            for (let request = requests.pop(); request; request = requests.pop()) await check(directory, request);
          };
          await Promise.all(Array.from({ length: CONCURRENCY }, ask));
        }),
        { numRuns: DIRECTORIES, seed: SEED, endOnFailure: true },
      );
      process.stdout.write(
        `seed ${SEED}: ${DIRECTORIES} directories, ${requestCount} requests, ${nonemptyCount} with users in the response\n`,
      );
    },
    LONG_TEST_MS,
  );

  // `text.spec.ts` compares the spellings of every letter.
  it.each(['Łukasz Żółć', 'Straße', 'ΟΔΟΣ οδός', 'İzmir ırmak', 'Кирилл Ёлкин', '山田太郎', 'مهدی\u200cزاده'])(
    'finds what is stored under the name %s by the name in any spelling',
    async (name) => {
      const { id: organization } = await newOrganization(app);
      const bodies = {
        [at(organization, '/users')]: { email: 'name@example.com', displayName: name },
        [at(organization, '/groups')]: { name },
        '/v1/organizations': { name },
      };
      const decomposed = name.normalize('NFD');
      for (const [path, body] of Object.entries(bodies)) {
        const { id } = await made(app, path, body);
        for (const search of [name, name.toUpperCase(), name.toLowerCase(), decomposed, decomposed.replace(/\p{M}/gu, '')]) {
          const found = await read(app, `${path}?${new URLSearchParams({ search, limit: '100' })}`);
          expect([search, path, found.map((each: Person) => each.id)]).toEqual([search, path, expect.arrayContaining([id])]);
        }
      }
    },
  );
});
