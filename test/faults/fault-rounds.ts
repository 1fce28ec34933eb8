import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import type { World } from './world.js';

const REDIS_OUTAGE_MS = 10_000;
const LONGEST_PAUSE_MS = 600;
const MOMENT_LIMIT_MS = 3_000;

/** What can go wrong in a round. */
export type Fault =
  | 'kill all'
  | 'kill api'
  | 'kill worker'
  | 'pause worker'
  | 'flush redis'
  | 'kill redis for 10 s'
  | 'pause redis'
  | 'cut database connections'
  | 'crash database'
  | 'pause database';

/** What was done in a round, as it is told when a test fails. */
export interface Round {
  fault: Fault;
  moment: string;
  /** Retries that waited when the fault came. */
  retriesPending: number;
  /** When the fault came and when all was up again, on the monotonic clock. */
  fromMs: number;
  toMs: number;
}

/** Waits for a random moment under load, makes the fault, and has everything come back. */
export async function runRound(world: World, fault: Fault, random: Random): Promise<Round> {
  await sleep(random.between(0, LONGEST_PAUSE_MS));
  if (fault === 'flush redis') await untilRetriesPend(world);
  const retriesPending = await world.retriesPending();
  const moment = await randomMoment(world, random);
  const fromMs = performance.now();
  await make(world, fault, random);
  return { fault, moment, retriesPending, fromMs, toMs: performance.now() };
}

async function make(world: World, fault: Fault, random: Random): Promise<void> {
  switch (fault) {
    case 'kill all':
      return world.killAndRestart('all');
    case 'kill api':
      return world.killAndRestart('api');
    case 'kill worker':
      return world.killAndRestart(random.pick(world.workers));
    case 'pause worker':
      return world.pauseProcess(random.pick(world.workers), pauseMs(random));
    case 'pause redis':
      return world.pauseRedis(pauseMs(random));
    case 'crash database':
      return world.ownPostgres.crash();
    case 'pause database':
      return world.ownPostgres.pause(pauseMs(random));
    case 'flush redis':
      return world.redis.flush();
    case 'cut database connections':
      return world.terminateConnections();
    case 'kill redis for 10 s': {
      const { comeBack } = await world.killRedis();
      await sleep(REDIS_OUTAGE_MS);
      return comeBack();
    }
  }
}

/** Shorter and longer than the time limit of an attempt. */
const pauseMs = (random: Random): number => random.between(500, 5_000);

/** After some time, or right when a change was answered (before its event is sent), or right when an attempt is under way. */
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
