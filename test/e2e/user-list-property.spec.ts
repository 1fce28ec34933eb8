import { beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError, InvalidCursor, isSafeLine, systemContext } from '#platform/common';
import { PageQuery } from '#platform/http';
import * as fc from 'fast-check';
import { UserQueriesService } from '../../libs/directory/users/src/user-queries.service.js';
import { Random } from '../faults/random.js';
import { testApp } from '../support/test-app.js';
import {
  BUILT_IN_ROLES,
  CREATED_HOURS,
  type Directory,
  directoryOf,
  drawnDirectory,
  HOUR_MS,
  idAt,
  type DirectoryOrganization,
  searchTerm,
  START_MS,
} from './random-directories/directory.js';
import { byId, type Expected, expectedResponse, type ListQuery, PARAMETERS } from './random-directories/model.js';
import { storeDirectory } from './random-directories/store.js';
import { sized } from '../support/test-size.js';

/** The number of directories in `npm test`, `npm run test:all` and long runs. */
const DIRECTORIES = Number(process.env['DIRECTORIES'] ?? sized(8, 40, 2_000));
const LONG_TEST_MS = 60 * 60_000;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** The share of requests that are sent over HTTP. All other requests call the service class, as the controller does. */
const OVER_HTTP = 0.1;
const CONCURRENCY = 8;
const SORTS = ['createdAt', '-createdAt', 'lastLoginAt', '-lastLoginAt', 'email', '-email'];

interface ListRequest {
  organization: DirectoryOrganization;
  query: ListQuery;
  overHttp: boolean;
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
    after: () => (random.chance(0.1) ? idAt('usr', START_MS + HOUR_MS) : person.id),
    page: () => String(random.between(1, 4)),
  }[parameter]();
}

/** Returns requests with each parameter alone, then with each pair except `after` with `page`, a rejected pair. */
function requestsFor(directory: Directory, random: Random): ListRequest[] {
  const pairs = PARAMETERS.flatMap((first, index) => PARAMETERS.slice(index + 1).map((second) => [first, second] as const));
  const together = pairs.filter(([first, second]) => !(first === 'after' && second === 'page'));
  const organizations = directory.organizations.filter((organization) => organization !== directory.removed);
  return [...PARAMETERS.map((parameter) => [parameter]), ...together].map((parameters) => ({
    organization: random.pick(organizations),
    query: Object.fromEntries(parameters.map((parameter) => [parameter, valueOf(parameter, random, directory)])),
    overHttp: random.chance(OVER_HTTP),
  }));
}

describe('a random user list', () => {
  const app = testApp();
  let queries: UserQueriesService;
  let requestCount = 0;
  let nonemptyCount = 0;

  beforeAll(async () => {
    queries = app.app.get(UserQueriesService, { strict: false });
  });

  async function overHttp({ organization, query }: ListRequest): Promise<Expected> {
    const { status, body } = await app.api.platform.get(
      `/v1/organizations/${organization.id}/users?${new URLSearchParams(query)}`,
    );
    if (status !== 200) return { code: body.code };
    return { items: body.data, pagination: body.pagination };
  }

  async function fromService({ organization: drawn, query }: ListRequest): Promise<Expected> {
    const organization = { ...drawn, name: drawn.id, slug: drawn.id, status: 'active' as const };
    const number = (text?: string) => (text === undefined ? undefined : Number(text));
    const { createdAfter, createdBefore } = query;
    const times = {
      createdAfter: createdAfter && new Date(createdAfter),
      createdBefore: createdBefore && new Date(createdBefore),
    };
    const read = { ...query, ...times, limit: number(query.limit), page: number(query.page) } as Parameters<
      UserQueriesService['list']
    >[1];
    try {
      const page = await queries.list({ ...systemContext('test'), organization }, read, PageQuery.read(read));
      return { items: page.data as unknown as Record<string, unknown>[], pagination: page.pagination };
    } catch (error) {
      if (error instanceof DomainError || error instanceof InvalidCursor) return { code: error.code };
      throw error;
    }
  }

  async function check(directory: Directory, request: ListRequest): Promise<void> {
    const response = await (request.overHttp ? overHttp(request) : fromService(request));
    const sorted =
      'items' in response
        ? {
            ...response,
            items: response.items.map((item) => ({ ...item, roles: [...(item['roles'] as { id: string }[])].sort(byId) })),
          }
        : response;
    const { overHttp: isOverHttp, query } = request;
    const expected = expectedResponse(directory, request.organization, query);
    expect({ query, isOverHttp, ...sorted }).toEqual({ query, isOverHttp, ...expected });
    requestCount++;
    if ('items' in expected && expected.items.length > 0) nonemptyCount++;
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

  it(
    'finds what is stored under a name in any script by the name in any spelling',
    async () => {
      const at = `/v1/organizations/${(await app.api.platform.post('/v1/organizations', { name: 'Names' }).expect(201)).body.data.id}`;
      const unaccented = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
      let count = 0;
      const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((text) => `n${text}`.normalize('NFC').trim());
      // The uppercase form of a Greek letter with iota subscript has one letter more than its form without accents.
      const hasIotaSubscript = (text: string): boolean => text.normalize('NFD').includes('\u0345');
      const names = name.filter((text) => isSafeLine(text) && !hasIotaSubscript(text));
      await fc.assert(
        fc.asyncProperty(names, async (name) => {
          const person = { email: `name${++count}@example.com`, displayName: name };
          const stored = [
            { path: `${at}/users`, id: (await app.api.platform.post(`${at}/users`, person).expect(201)).body.data.id },
            {
              path: `${at}/groups`,
              id: (await app.api.platform.post(`${at}/groups`, { name: `${name} ${count}` }).expect(201)).body.data.id,
            },
            {
              path: '/v1/organizations',
              id: (await app.api.platform.post('/v1/organizations', { name }).expect(201)).body.data.id,
            },
          ];
          for (const search of [name, name.toUpperCase(), name.toLowerCase(), name.normalize('NFD'), unaccented(name)])
            for (const { path, id } of stored) {
              const { body } = await app.api.platform.get(`${path}?${new URLSearchParams({ search, limit: '100' })}`).expect(200);
              expect({ search, path, ids: body.data.map((each: { id: string }) => each.id) }).toMatchObject({
                ids: expect.arrayContaining([id]),
              });
            }
        }),
        {
          numRuns: sized(15, 60, 2_000),
          seed: SEED,
          examples: ['Łukasz Żółć', 'Straße', 'ΟΔΟΣ οδός', 'İzmir ırmak', 'Кирилл Ёлкин', '山田太郎', 'مهدی\u200cزاده'].map(
            (each) => [each],
          ),
        },
      );
    },
    LONG_TEST_MS,
  );
});
