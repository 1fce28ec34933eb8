import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import type { SystemUnderTest } from './system-under-test.js';

const REDIS_OUTAGE_MS = 10_000;
const OUTAGE_MS = 5_000;
const PAUSE_MAX_MS = 600;
const MOMENT_LIMIT_MS = 3_000;
/** The range of the additional network delay: at least fifty times the usual round-trip time. */
const SLOW_NETWORK_MS = [20, 150] as const;

interface FaultKind {
  /** Whether the fault can lose the result of an attempt. The service then repeats the attempt. */
  readonly losesResults?: boolean;
  /** Causes the fault. Resolves when all affected components work again. */
  cause(system: SystemUnderTest, random: Random): Promise<void>;
}

const FAULTS = {
  'kill all': { losesResults: true, cause: (system) => system.killAndRestart('all') },
  'kill api': { cause: (system, random) => system.killAndRestart(random.pick(system.apis)) },
  'kill worker': { losesResults: true, cause: (system, random) => system.killAndRestart(random.pick(system.workers)) },
  'pause all': { losesResults: true, cause: (system, random) => system.pauseProcess('all', pauseMs(random)) },
  'pause api': { cause: (system, random) => system.pauseProcess('api', pauseMs(random)) },
  'pause worker': {
    losesResults: true,
    cause: (system, random) => system.pauseProcess(random.pick(system.workers), pauseMs(random)),
  },
  'flush redis': { cause: ({ stores }) => stores.redis!.flush() },
  'kill redis': { cause: ({ stores }) => stores.loseRedis(0) },
  'kill redis for 10 s': { cause: ({ stores }) => stores.loseRedis(REDIS_OUTAGE_MS) },
  'pause redis': { cause: ({ stores }, random) => stores.pauseRedis(pauseMs(random)) },
  'lose a master of the redis cluster': {
    cause: ({ stores }, random) => stores.redisCluster!.loseMaster(random.between(0, 2), OUTAGE_MS),
  },
  'lose the master of the redis cluster that has the queue': {
    cause: async ({ stores: { redisCluster }, queueKey }) =>
      redisCluster!.loseMaster(await redisCluster!.masterOf(queueKey), OUTAGE_MS),
  },
  'cut database connections': { cause: (system) => system.terminateConnections() },
  'crash database': { losesResults: true, cause: ({ stores }) => stores.postgres!.crash() },
  'kill database': { losesResults: true, cause: ({ stores }) => stores.postgres!.killAndRestart() },
  'restart database': { losesResults: true, cause: ({ stores }) => stores.postgres!.restart() },
  'pause database': { losesResults: true, cause: ({ stores }, random) => stores.postgres!.pause(pauseMs(random)) },
  'fail over': { losesResults: true, cause: ({ stores }) => stores.replicated!.failOver() },
  'lose the standby': { losesResults: true, cause: ({ stores }, random) => stores.replicated!.loseStandby(pauseMs(random)) },
  'lose a worker of citus': {
    losesResults: true,
    cause: ({ stores }, random) => stores.loseCitusWorker(random.between(0, 1), OUTAGE_MS),
  },
  'move a shard': { losesResults: true, cause: (system) => system.moveShard() },
  'fill the disk of the database': {
    losesResults: true,
    cause: async ({ stores: { disk, postgres } }) => {
      await disk!.fill();
      await sleep(OUTAGE_MS);
      await disk!.free();
      await postgres!.recover();
    },
  },
  'slow network to the database': {
    losesResults: true,
    cause: async ({ stores: { network } }, random) => {
      network!.delayMs = random.between(...SLOW_NETWORK_MS);
      await sleep(OUTAGE_MS);
      network!.delayMs = 0;
    },
  },
} satisfies Record<string, FaultKind>;

export type Fault = keyof typeof FAULTS;

/** The record of a round. The message of a failed test contains the record. */
export interface Round {
  fault: Fault;
  moment: string;
  /** The number of retries that were pending when the fault began. */
  retriesPending: number;
  /** The number of attempts whose result the fault can lose. */
  attemptsAtRisk: number;
  /** The time when the fault began, on the monotonic clock. */
  fromMs: number;
  /** The time when all components worked again, on the monotonic clock. */
  toMs: number;
}

/** Waits for a random moment under load and causes the fault. Resolves when all components work again. */
export async function runRound(system: SystemUnderTest, fault: Fault, random: Random): Promise<Round> {
  const { cause, losesResults }: FaultKind = FAULTS[fault];
  await sleep(random.between(0, PAUSE_MAX_MS));
  if (fault === 'flush redis') await waitForPendingRetries(system);
  const retriesPending = await system.countPendingRetries();
  const moment = await waitForRandomMoment(system, random);
  const before = losesResults ? await system.countAttemptsInProgress() : 0;
  const fromMs = performance.now();
  await cause(system, random);
  const toMs = performance.now();
  const attemptsAtRisk = losesResults ? Math.max(before, await system.countAttemptsInProgress()) : 0;
  return { fault, moment, retriesPending, attemptsAtRisk, fromMs, toMs };
}

/** Returns whether the fault of a round can cause duplicate attempts. */
export const losesResults = ({ fault }: Round): boolean => (FAULTS[fault] as FaultKind).losesResults === true;

/** Returns a random pause. The pause is shorter or longer than the time limit of an attempt. */
const pauseMs = (random: Random): number => random.between(500, 5_000);

/**
 * Waits for a random time, for a random number of responses, or for a random number of requests at the receiver. Returns a description of the moment.
 */
async function waitForRandomMoment(system: SystemUnderTest, random: Random): Promise<string> {
  const kind = random.pick(['time', 'answered', 'received'] as const);
  if (kind === 'time') {
    const delayMs = random.between(0, 1_000);
    await sleep(delayMs);
    return `after ${delayMs} ms`;
  }
  const count = random.between(5, 40);
  const enough = system.counts[kind] + count;
  const deadline = performance.now() + MOMENT_LIMIT_MS;
  while (system.counts[kind] < enough && performance.now() < deadline) await sleep(2);
  return `after ${count} times "${kind}"`;
}

async function waitForPendingRetries(system: SystemUnderTest): Promise<void> {
  const deadline = performance.now() + MOMENT_LIMIT_MS;
  while ((await system.countPendingRetries()) === 0 && performance.now() < deadline) await sleep(10);
}
