import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../faults/random.js';
import { startApp, type TestApp } from '../support/app.js';
import { sized } from '../support/test-size.js';

interface Scenario {
  /** The minimum: walks continue until users were created or deleted during a walk, and more users than writers were deleted. */
  readonly walks: number;
  readonly writers: number;
  /** Users that exist throughout. */
  readonly steady: number;
  /** The number of users on a page of the walk. */
  limit(turn: number, random: Random): number;
}

/**
 * Many writers on few rows, and few writers on many rows. The long run proves the most; the short one is a share of it for every
 * change.
 */
const SCENARIOS = sized<readonly Scenario[]>(
  [{ walks: 8, writers: 8, steady: 100, limit: (_, random) => random.between(1, 100) }],
  [
    { walks: 20, writers: 16, steady: 50, limit: (_, random) => random.between(1, 100) },
    { walks: 4, writers: 4, steady: 500, limit: (_, random) => random.between(5, 100) },
  ],
  [
    { walks: 500, writers: 16, steady: 50, limit: (_, random) => random.between(1, 100) },
    { walks: 100, writers: 4, steady: 10_000, limit: (turn) => Math.min(100, turn + 1) },
  ],
);
const LONG_TEST_MS = 30 * 60_000;
/** In ascending order new users are last: a walk with small pages might never end. */
const UPWARD_LIMIT_MIN = 40;
/** Reproduces the decisions of walkers and writers, though not their interleaving. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** The number of concurrent walks. */
const WALKERS = 4;
/** The body of an import is read in parts; its response lists each line. */
const IMPORTED_AT_ONCE = 1_000;
/** A writer with this many users deletes some before it creates more. */
const OWN_USERS_MAX = 8;
const USERS = '/v1/organizations/acme/users';

/** When a user was created and deleted, in milliseconds of the test's own clock. */
interface Life {
  /** The response to the creation. */
  readonly createdAt: number;
  /** The request and the response of the deletion. */
  deletingAt?: number;
  deletedAt?: number;
}

describe.each(SCENARIOS)('walks through $steady users while $writers others write', (scenario) => {
  let app: TestApp;
  const lives = new Map<string, Life>();
  const random = new Random(SEED);

  const create = async (email: string): Promise<string> => {
    const { id } = (await app.api.platform.post(USERS, { email }).expect(201)).body.data as { id: string };
    lives.set(id, { createdAt: performance.now() });
    return id;
  };
  const importUsers = async (first: number): Promise<void> => {
    const count = Math.min(IMPORTED_AT_ONCE, scenario.steady - first);
    const lines = Array.from({ length: count }, (_, index) => JSON.stringify({ email: `steady-${first + index}@example.com` }));
    await app.api.platform
      .raw('POST', `${USERS}/import`, lines.join('\n'), { 'content-type': 'application/x-ndjson' })
      .expect(200);
  };
  const remove = async (id: string): Promise<void> => {
    const life = lives.get(id)!;
    life.deletingAt = performance.now();
    await app.api.platform.delete(`${USERS}/${id}?permanent=${random.chance(0.5)}`).expect(204);
    life.deletedAt = performance.now();
  };

  /** Creates and deletes its own users until it is stopped. */
  async function write(writer: number, work: { goesOn: boolean }): Promise<void> {
    const own: string[] = [];
    for (let turn = 0; work.goesOn; turn++) {
      const isFull = own.length >= OWN_USERS_MAX;
      if (isFull || (own.length > 0 && random.chance(0.5))) await remove(own.splice(random.between(0, own.length - 1), 1)[0]!);
      else own.push(await create(`w${writer}-${turn}@example.com`));
    }
  }

  async function walk(query: string): Promise<{ seen: string[]; pages: number }> {
    const seen: string[] = [];
    for (let pages = 1; ; pages++) {
      const cursor = seen.length > 0 ? `&after=${seen.at(-1)}` : '';
      const { data, pagination } = (await app.api.platform.get(`${USERS}?${query}${cursor}`).expect(200)).body;
      seen.push(...data.map(({ id }: { id: string }) => id));
      if (!pagination.hasMore) return { seen, pages };
      expect(data).not.toEqual([]);
    }
  }

  beforeAll(async () => {
    app = await startApp({ databasePoolSize: 20 });
    await app.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201);
    for (let first = 0; first < scenario.steady; first += IMPORTED_AT_ONCE) await importUsers(first);
    const users = await app.database.query<{ id: string }>('SELECT id FROM users');
    for (const { id } of users) lives.set(id, { createdAt: performance.now() });
    expect(lives.size).toBe(scenario.steady);
  });
  afterAll(() => app.close());

  /** Walks once, and expects each user that existed throughout exactly once, and no deleted user. */
  async function checkedWalk(turn: number): Promise<{ pages: number; throughout: number; passing: number }> {
    const limit = scenario.limit(turn, random);
    const sort = limit < UPWARD_LIMIT_MIN ? '-createdAt' : random.pick(['-createdAt', '-createdAt', 'createdAt']);
    const startedAt = performance.now();
    const { seen, pages } = await walk(`limit=${limit}&sort=${sort}`);
    const endedAt = performance.now();

    const throughout = [...lives].filter(
      ([, { createdAt, deletingAt = Infinity }]) => createdAt < startedAt && deletingAt > endedAt,
    );
    const once = new Set(seen);
    const missed = throughout.filter(([id]) => !once.has(id)).map(([id]) => id);
    const gone = seen.filter((id) => (lives.get(id)?.deletedAt ?? Infinity) < startedAt);
    const sorted = [...once].sort();
    const where = { seed: SEED, turn, limit, sort };
    expect({ ...where, missed, gone }).toEqual({ ...where, missed: [], gone: [] });
    expect(seen).toEqual(sort === 'createdAt' ? sorted : sorted.toReversed());
    return { pages, throughout: throughout.length, passing: seen.length - throughout.length };
  }

  it(
    `return every user that existed throughout exactly once: ${scenario.walks} walks`,
    async () => {
      const work = { goesOn: true };
      const writers = Array.from({ length: scenario.writers }, (_, writer) => write(writer, work));
      const counts = { pages: 0, throughout: 0, passing: 0 };
      const deletedCount = (): number => [...lives.values()].filter(({ deletedAt }) => deletedAt !== undefined).length;
      let turn = 0;
      const isEnough = (): boolean => turn >= scenario.walks && counts.passing > 0 && deletedCount() > scenario.writers;
      const walkers = Array.from({ length: WALKERS }, async () => {
        while (work.goesOn && !isEnough()) {
          const walked = await checkedWalk(turn++);
          for (const name of ['pages', 'throughout', 'passing'] as const) counts[name] += walked[name];
        }
      });
      // A writer ends before the walkers only if it fails.
      await Promise.race([Promise.all(walkers), Promise.all(writers)]).finally(() => (work.goesOn = false));
      await Promise.all([...walkers, ...writers]);

      process.stdout.write(
        `seed ${SEED}: ${turn} walks, ${counts.pages} pages; ${counts.throughout} users that existed throughout, each seen once, ` +
          `and ${counts.passing} that came or went; meanwhile ${lives.size - scenario.steady} created, ${deletedCount()} deleted\n`,
      );
      expect(turn).toBeGreaterThanOrEqual(scenario.walks);
      expect(counts.passing).toBeGreaterThan(0);
      expect(deletedCount()).toBeGreaterThan(scenario.writers);
    },
    LONG_TEST_MS,
  );
});
