import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import type { World } from './world.js';

const REDIS_OUTAGE_MS = 10_000;
const OUTAGE_MS = 5_000;
const LONGEST_PAUSE_MS = 600;
const MOMENT_LIMIT_MS = 3_000;
/** Round trips that are fifty or more times as long as usual. */
const SLOW_NETWORK_MS = [20, 150] as const;

interface Kind {
  /** Whether the fault can lose the result of an attempt, so that it is made again. */
  readonly losesResults?: boolean;
  /** Causes the fault; resolves when everything that it affected works again. */
  make(world: World, random: Random): Promise<void>;
}

/** The faults of a round. */
const FAULTS = {
  'kill all': { losesResults: true, make: (world) => world.killAndRestart('all') },
  'kill api': { make: (world) => world.killAndRestart('api') },
  'kill worker': { losesResults: true, make: (world, random) => world.killAndRestart(random.pick(world.workers)) },
  'pause all': { losesResults: true, make: (world, random) => world.pauseProcess('all', pauseMs(random)) },
  'pause api': { make: (world, random) => world.pauseProcess('api', pauseMs(random)) },
  'pause worker': {
    losesResults: true,
    make: (world, random) => world.pauseProcess(random.pick(world.workers), pauseMs(random)),
  },
  'flush redis': { make: ({ stores }) => stores.redis.flush() },
  'kill redis': { make: ({ stores }) => stores.loseRedis(0) },
  'kill redis for 10 s': { make: ({ stores }) => stores.loseRedis(REDIS_OUTAGE_MS) },
  'pause redis': { make: ({ stores }, random) => stores.pauseRedis(pauseMs(random)) },
  'lose a master of the redis cluster': {
    make: async ({ stores: { redisCluster } }, random) => redisCluster.loseMaster(random.between(0, 2), OUTAGE_MS),
  },
  'lose the master of the redis cluster that has the queue': {
    make: async ({ stores: { redisCluster }, queueKey }) =>
      redisCluster.loseMaster(await redisCluster.masterOf(queueKey), OUTAGE_MS),
  },
  'cut database connections': { make: (world) => world.terminateConnections() },
  'crash database': { losesResults: true, make: ({ stores }) => stores.postgres.crash() },
  'restart database': { losesResults: true, make: ({ stores }) => stores.postgres.restart() },
  'pause database': { losesResults: true, make: ({ stores }, random) => stores.postgres.pause(pauseMs(random)) },
  'fail over': { losesResults: true, make: ({ stores }) => stores.replicated.failOver() },
  'lose the standby': { losesResults: true, make: ({ stores }, random) => stores.replicated.loseStandby(pauseMs(random)) },
  'fill the disk of the database': {
    losesResults: true,
    make: async ({ stores: { disk, postgres } }) => {
      await disk.fill();
      await sleep(OUTAGE_MS);
      await disk.free();
      await postgres.recover();
    },
  },
  'slow network to the database': {
    losesResults: true,
    make: async ({ stores: { network } }, random) => {
      network.delayMs = random.between(...SLOW_NETWORK_MS);
      await sleep(OUTAGE_MS);
      network.delayMs = 0;
    },
  },
} satisfies Record<string, Kind>;

export type Fault = keyof typeof FAULTS;

/** The actions of a round, for the message of a failed test. */
export interface Round {
  fault: Fault;
  moment: string;
  /** Retries that were pending when the fault began. */
  retriesPending: number;
  /** The attempts whose result the fault can lose: in progress when it began, or later without a known end. */
  inHand: number;
  /** When the fault began and when everything worked again, on the monotonic clock. */
  fromMs: number;
  toMs: number;
}

/** Waits for a random moment under load, causes the fault, and restores everything. */
export async function runRound(world: World, fault: Fault, random: Random): Promise<Round> {
  const { make, losesResults }: Kind = FAULTS[fault];
  await sleep(random.between(0, LONGEST_PAUSE_MS));
  if (fault === 'flush redis') await untilRetriesPend(world);
  const retriesPending = await world.retriesPending();
  const moment = await randomMoment(world, random);
  const before = losesResults ? await world.attemptsInHand() : 0;
  const fromMs = performance.now();
  await make(world, random);
  const toMs = performance.now();
  const inHand = losesResults ? Math.max(before, await world.attemptsInHand()) : 0;
  return { fault, moment, retriesPending, inHand, fromMs, toMs };
}

/** Returns whether attempts can be made twice because of a round. */
export const losesResults = ({ fault }: Round): boolean => (FAULTS[fault] as Kind).losesResults === true;

/** Shorter and longer than the time limit of an attempt. */
const pauseMs = (random: Random): number => random.between(500, 5_000);

/** After a random time, or right after the response to a change (before its event is sent), or during an attempt. */
async function randomMoment(world: World, random: Random): Promise<string> {
  const kind = random.pick(['time', 'answered', 'received'] as const);
  if (kind === 'time') {
    const delayMs = random.between(0, 1_000);
    await sleep(delayMs);
    return `after ${delayMs} ms`;
  }
  const count = random.between(5, 40);
  await new Promise<void>((resolve) => {
    let left = count;
    const finish = (): void => {
      clearTimeout(timer);
      world.moments.off(kind, onMoment);
      resolve();
    };
    const onMoment = (): void => {
      if (--left === 0) finish();
    };
    const timer = setTimeout(finish, MOMENT_LIMIT_MS);
    world.moments.on(kind, onMoment);
  });
  return `as number ${count} was ${kind}`;
}

async function untilRetriesPend(world: World): Promise<void> {
  const deadline = performance.now() + MOMENT_LIMIT_MS;
  while ((await world.retriesPending()) === 0 && performance.now() < deadline) await sleep(10);
}
