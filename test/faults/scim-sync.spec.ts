import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Round } from './fault-rounds.js';
import { countFaults, type Faults, IS_LONG, SEED, withFaults } from './fault-run.js';
import { FLAKY_PATH } from './observed-receiver.js';
import { Random } from './random.js';
import { checkProvisioning } from './scim-check.js';
import { ScimDirectory } from './scim-directory.js';
import { changeState, createState, type DirectoryState, effectsBetween } from './scim-people.js';
import { SystemUnderTest } from './system-under-test.js';

const PEOPLE = IS_LONG ? 20_000 : 400;
const PEOPLE_IN_PREVIEW = IS_LONG ? 2_000 : 200;
/** The directory repeats its waiting requests while changes are applied: about 8 requests a second. */
const REQUESTS_WHILE_APPLYING = IS_LONG ? 1_000 : 20;
const GROUPS = IS_LONG ? { groups: 25, members: 200 } : { groups: 5, members: 40 };
const TURNOVER = PEOPLE / 100;
/** The faults of one synchronization. */
const FAULTS: Faults = [
  ['kill api', 2, 10],
  ['kill worker', 1, 5],
  ['crash database', 1, 5],
];
/** The faults while the changes of a preview are applied. The worker applies them. */
const FAULTS_WHILE_APPLYING: Faults = [
  ['kill worker', 2, 12],
  ['kill api', 1, 3],
  ['crash database', 1, 5],
];
const EMPTY: DirectoryState = { people: new Map(), groups: new Map() };
const LIMIT_MS = (IS_LONG ? 90 : 5) * 60_000;
const DRAIN_LIMIT_MS = IS_LONG ? 10 * 60_000 : 90_000;
const PROBLEMS_SHOWN = 30;
const NOTHING_LEFT = {
  users: { create: 0, adopt: 0, update: 0, suspend: 0, activate: 0, delete: 0, removedOwners: 0 },
  groups: { create: 0, update: 0, delete: 0, membersAdded: 0, membersRemoved: 0 },
};
const CONNECTIONS = '/v1/organizations/acme/scim-connections';

/** A system with a SCIM connection of the organization "acme", and a directory that uses the connection. */
interface Setup {
  readonly system: SystemUnderTest;
  readonly directory: ScimDirectory;
  /** The path of the connection. */
  readonly connection: string;
  readonly random: Random;
}

async function withDirectory(use: (setup: Setup) => Promise<void>): Promise<void> {
  const random = new Random(SEED);
  // Writers of other data are not needed.
  const options = { redis: 'one', postgres: 'own', writers: 0, webhookPaths: [FLAKY_PATH] } as const;
  const system = await SystemUnderTest.create(options, random);
  try {
    const { client } = system;
    const { id } = (await client.post(CONNECTIONS, { name: 'Directory', maxRemovals: null }).expect(201)).body.data;
    const { token } = (await client.post(`${CONNECTIONS}/${id}/tokens`, { name: 'Directory' }).expect(201)).body.data;
    const url = `${system.url}/scim/v2/${id}`;
    const directory = new ScimDirectory(url, token, system.progress, new Random(random.between(0, 2 ** 31)));
    await use({ system, directory, connection: `${CONNECTIONS}/${id}`, random });
  } finally {
    await system.close();
  }
}

/** Waits until the directory has sent `count` more requests. */
async function waitForRequests({ requests }: ScimDirectory, count: number): Promise<void> {
  const { counts } = requests;
  const enough = counts.requests + count;
  while (counts.requests < enough) await sleep(5);
}

/** Activates a connection in preview. Repeats the request until the connection is active. */
async function activate({ system, connection }: Setup): Promise<void> {
  const modeOf = async (): Promise<unknown> => (await system.client.get(connection)).body.data?.mode;
  for (;;) {
    const mode = await modeOf().catch(() => undefined);
    if (mode === 'active') return;
    if (mode === 'preview') await system.client.post(`${connection}/activate`).catch(() => undefined);
    await sleep(100);
  }
}

const leaversOf = (before: DirectoryState, after: DirectoryState): string[] =>
  [...before.people.keys()].filter((id) => !after.people.has(id));

/** Waits for the deliveries, prints the numbers, and checks the state and the events. */
async function expectProvisioned(
  name: string,
  { system, directory }: Setup,
  { rounds, durationMs }: { rounds: readonly Round[]; durationMs: number },
  [first, final]: readonly [DirectoryState, DirectoryState],
): Promise<void> {
  const effects = [...effectsBetween(EMPTY, first), ...effectsBetween(first, final)];
  const drainMs = await system.drain(DRAIN_LIMIT_MS);
  const { violations, events } = await checkProvisioning(system, { directory, final, effects });
  const faults = countFaults(rounds);
  const counts = { users: final.people.size, faults, ...directory.requests.counts, ...directory.counts, events };
  const attempts = system.receiver.observed.length;
  process.stdout.write(`${name} (seed ${SEED}): ${JSON.stringify({ ...counts, attempts, durationMs, drainMs })}\n`);
  const details = violations.length > 0 ? { rounds, processLogs: system.processLogs() } : {};
  expect({ seed: SEED, violations: violations.slice(0, PROBLEMS_SHOWN), ...details }).toEqual({ seed: SEED, violations: [] });
  expect(rounds.length).toBeGreaterThan(0);
}

jest.setTimeout(LIMIT_MS);

// In the short run, both tests run at the same time, because they mostly wait.
const test = IS_LONG ? it : it.concurrent;

describe('a directory that synchronizes with SCIM', () => {
  test(`loses no change of ${PEOPLE} users and creates no duplicate during faults`, () =>
    withDirectory(async (setup) => {
      const { directory, random } = setup;
      const first = createState(PEOPLE, GROUPS, random);
      const final = changeState(first, TURNOVER, random);
      const sent = (): number => directory.requests.counts.requests;
      const startedAt = performance.now();
      const rounds = [
        ...(await withFaults(setup, { faults: FAULTS, requests: PEOPLE * 2, sent }, () => directory.synchronize(first))),
        ...(await withFaults(setup, { faults: FAULTS, requests: PEOPLE * 1.4, sent }, () =>
          directory.synchronize(final, leaversOf(first, final)),
        )),
      ];
      const durationMs = performance.now() - startedAt;
      await expectProvisioned('SCIM synchronization', setup, { rounds, durationMs }, [first, final]);
    }));

  test('applies each recorded change of a preview once during faults', () =>
    withDirectory(async (setup) => {
      const { system, directory, connection, random } = setup;
      const first = createState(PEOPLE_IN_PREVIEW, GROUPS, random);
      const final = changeState(first, PEOPLE_IN_PREVIEW / 2, random);
      const startedAt = performance.now();
      await directory.synchronize(first);
      await system.client.post(`${connection}/start-preview`).expect(200);

      // Activates the connection before the directory has sent all changes.
      const recording = directory.synchronize(final, leaversOf(first, final));
      await waitForRequests(directory, random.between(PEOPLE_IN_PREVIEW, PEOPLE_IN_PREVIEW * 2));
      const sent = (): number => directory.requests.counts.requests;
      const plan = { faults: FAULTS_WHILE_APPLYING, requests: REQUESTS_WHILE_APPLYING, sent };
      const rounds = await withFaults(setup, plan, async () => {
        await Promise.all([activate(setup), recording]);
      });
      const durationMs = performance.now() - startedAt;

      const left = (await system.client.get(`${connection}/preview`).expect(200)).body.data;
      await expectProvisioned('SCIM preview', setup, { rounds, durationMs }, [first, final]);
      expect(left).toEqual(NOTHING_LEFT);
    }));
});
