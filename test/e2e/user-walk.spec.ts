import { beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../faults/random.js';
import { made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';

/**
 * Many writers on few rows, and few writers on many rows. A pass reads all pages of the list once. There are at least `passes`: passes continue until
 * users changed during a pass and more users than writers were deleted. `steady` is the number of users that exist throughout.
 */
const SCENARIOS = sized<readonly { passes: number; writers: number; steady: number }[]>(
  [{ passes: 8, writers: 8, steady: 100 }],
  [
    { passes: 20, writers: 16, steady: 50 },
    { passes: 4, writers: 4, steady: 500 },
  ],
  [
    { passes: 500, writers: 16, steady: 50 },
    { passes: 100, writers: 4, steady: 10_000 },
  ],
);
const LONG_TEST_MS = 30 * 60_000;
/** The smallest page in ascending order. New users are last there, so a pass with smaller pages might never end. */
const ASCENDING_LIMIT_MIN = 40;
/** Reproduces the decisions of readers and writers, but not their interleaving. */
const READERS = 4;
const IMPORT_SIZE = 1_000;
/** A writer with this number of users deletes users before creating more. */
const OWN_USERS_MAX = 8;
const USERS = '/v1/organizations/acme/users';

/** The times of the creation and deletion of a user, in milliseconds of the test's clock. */
interface Lifetime {
  readonly createdAt: number;
  /** The times of the request for the deletion and of its response. */
  deletingAt?: number;
  deletedAt?: number;
}

describe.each(SCENARIOS)('a list of $steady users', (scenario) => {
  const app = testApp({ databasePoolSize: 20 });
  const lifetimes = new Map<string, Lifetime>();
  const random = new Random(SEED);

  const create = async (email: string): Promise<string> => {
    const { id } = await made(app, USERS, { email });
    lifetimes.set(id, { createdAt: performance.now() });
    return id;
  };
  const importUsers = async (first: number): Promise<void> => {
    const count = Math.min(IMPORT_SIZE, scenario.steady - first);
    const lines = Array.from({ length: count }, (_, index) => JSON.stringify({ email: `steady-${first + index}@example.com` }));
    await app.api.platform
      .raw('POST', `${USERS}/import`, lines.join('\n'), { 'content-type': 'application/x-ndjson' })
      .expect(200);
  };
  const remove = async (id: string): Promise<void> => {
    const lifetime = lifetimes.get(id)!;
    lifetime.deletingAt = performance.now();
    await app.api.platform.delete(`${USERS}/${id}?permanent=${random.chance(0.5)}`).expect(204);
    lifetime.deletedAt = performance.now();
  };

  /** Creates and deletes users as one writer until `work` is stopped. */
  async function write(writer: number, work: { isRunning: boolean }): Promise<void> {
    const own: string[] = [];
    for (let turn = 0; work.isRunning; turn++) {
      const isFull = own.length >= OWN_USERS_MAX;
      if (isFull || (own.length > 0 && random.chance(0.5))) await remove(own.splice(random.between(0, own.length - 1), 1)[0]!);
      else own.push(await create(`w${writer}-${turn}@example.com`));
    }
  }

  async function readAllPages(query: string): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const cursor = ids.length > 0 ? `&after=${ids.at(-1)}` : '';
      const { data, pagination } = (await app.api.platform.get(`${USERS}?${query}${cursor}`).expect(200)).body;
      ids.push(...data.map(({ id }: { id: string }) => id));
      if (!pagination.hasMore) return ids;
      expect(data).not.toEqual([]);
    }
  }

  beforeAll(async () => {
    await newOrganization(app, { slug: 'acme' });
    for (let first = 0; first < scenario.steady; first += IMPORT_SIZE) await importUsers(first);
    const users = await app.database.query<{ id: string }>('SELECT id FROM users');
    for (const { id } of users) lifetimes.set(id, { createdAt: performance.now() });
    expect(lifetimes.size).toBe(scenario.steady);
  });

  /**
   * Reads all pages once, and expects each user that existed throughout exactly once, and no deleted user. Returns the number of users that existed
   * for a part of the pass.
   */
  async function checkedPass(turn: number): Promise<number> {
    const limit = random.between(1, 100);
    const sort = limit < ASCENDING_LIMIT_MIN ? '-createdAt' : random.pick(['-createdAt', '-createdAt', 'createdAt']);
    const startedAt = performance.now();
    const ids = await readAllPages(`limit=${limit}&sort=${sort}`);
    const endedAt = performance.now();

    const throughout = [...lifetimes].filter(
      ([, { createdAt, deletingAt = Infinity }]) => createdAt < startedAt && deletingAt > endedAt,
    );
    const once = new Set(ids);
    const missed = throughout.filter(([id]) => !once.has(id)).map(([id]) => id);
    const deleted = ids.filter((id) => (lifetimes.get(id)?.deletedAt ?? Infinity) < startedAt);
    const sorted = [...once].sort();
    const where = { seed: SEED, turn, limit, sort };
    expect({ ...where, missed, deleted }).toEqual({ ...where, missed: [], deleted: [] });
    expect(ids).toEqual(sort === 'createdAt' ? sorted : sorted.toReversed());
    return ids.length - throughout.length;
  }

  it(
    `returns every user once despite ${scenario.writers} concurrent writers`,
    async () => {
      const work = { isRunning: true };
      const writers = Array.from({ length: scenario.writers }, (_, writer) => write(writer, work));
      let temporary = 0;
      const deletedCount = (): number => [...lifetimes.values()].filter(({ deletedAt }) => deletedAt !== undefined).length;
      let turn = 0;
      const isEnough = (): boolean => turn >= scenario.passes && temporary > 0 && deletedCount() > scenario.writers;
      const readers = Array.from({ length: READERS }, async () => {
        while (work.isRunning && !isEnough()) {
          const seen = await checkedPass(turn++);
          temporary += seen;
        }
      });
      // A writer ends before the readers only if the writer fails.
      await Promise.race([Promise.all(readers), Promise.all(writers)]).finally(() => (work.isRunning = false));
      await Promise.all([...readers, ...writers]);

      process.stdout.write(`seed ${SEED}: ${turn} passes, ${temporary} users that existed for a part of a pass\n`);
      expect(turn).toBeGreaterThanOrEqual(scenario.passes);
      expect(temporary).toBeGreaterThan(0);
      expect(deletedCount()).toBeGreaterThan(scenario.writers);
    },
    LONG_TEST_MS,
  );
});
