import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { SEED } from '../faults/fault-run.js';
import { Random } from '../faults/random.js';
import { postgresAccount } from '../support/debian-postgres.js';
import { PostgresProcess } from '../support/postgres-process.js';
import { quantile } from '../support/quantile.js';
import { buildServer } from '../support/service-process.js';
import { sized } from '../support/test-size.js';
import { ServiceOnCitus } from './service-on-citus.js';
import { type TenantWrite, TenantWriters } from './tenant-writers.js';

const REQUESTS_PER_SECOND = 100;
const LOAD_MS = sized(5_000, 5_000, 20_000);
const WORKER_DOWN_MS = 3_000;
const FAULTS = sized(1, 2, 5);
const IDLE_EVENTS = 40;
const IDLE_PAUSE_MS = 150;
/** An event of an idle service reaches its receiver faster than by polling. */
const IDLE_P50_MAX_MS = 500;
const LIMIT_MS = sized(300_000, 300_000, 1_200_000);
const PROBLEMS_SHOWN = 20;
const OUTPUT_SHOWN = 5_000;
const WRITES_MIN = 100;

describe('a service on Citus', () => {
  let system: ServiceOnCitus;
  const writes: TenantWrite[] = [];

  beforeAll(async () => {
    buildServer();
    system = await ServiceOnCitus.start();
  }, 300_000);
  afterAll(() => system?.stop());

  /** Runs writers before, during and after a fault, and compares all records. */
  async function expectNothingLost(name: string, cause: () => Promise<void>): Promise<void> {
    const writers = new TenantWriters(
      system.url,
      system.platformKey,
      system.tenants,
      name,
      REQUESTS_PER_SECOND,
      new Random(SEED),
    );
    writers.start();
    await sleep(LOAD_MS);
    const faultAt = performance.now();
    await cause();
    const faultMs = performance.now() - faultAt;
    await sleep(LOAD_MS);
    await writers.stop();
    const drainMs = await system.drain();
    writes.push(...writers.log);
    const verdicts = await system.check(writes);
    const sum = (key: 'events' | 'deliveries' | 'attempts'): number => verdicts.reduce((total, each) => total + each[key], 0);
    const retried = writers.log.filter(({ requests }) => requests > 1);
    process.stdout.write(
      `${name} (seed ${SEED}): fault for ${seconds(faultMs)}; ${writers.log.length} writes, ${retried.length} of them with retries, ` +
        `the longest took ${seconds(Math.max(...writers.log.map(({ tookMs }) => tookMs)))}; ` +
        `retried responses: ${statusCounts(writers.retriedResponses)} (before the fault: ${statusCounts(writers.retriedResponses.filter(({ atMs }) => atMs < faultAt))}); ` +
        `longest time without a confirmed write ${seconds(longestPauseMs(writers.log))}; ` +
        `so far ${sum('events')} events, ${sum('deliveries')} deliveries, ${sum('attempts')} attempts; drained in ${seconds(drainMs)}\n`,
    );
    const problems = [...writers.unexplainedResponses, ...verdicts.flatMap(({ violations }) => violations)];
    expect({
      problems: problems.slice(0, PROBLEMS_SHOWN),
      output: problems.length > 0 ? system.output.slice(-OUTPUT_SHOWN) : '',
    }).toEqual({
      problems: [],
      output: '',
    });
    expect(writers.log.length).toBeGreaterThan(WRITES_MIN);
  }

  it(
    'delivers an event immediately while it is idle',
    async () => {
      const tenant = system.tenants.find(({ webhooks }) => webhooks.size > 0)!;
      await system.drain();
      const before = system.receiver.requests.length;
      for (let index = 0; index < IDLE_EVENTS; index++) {
        await system.client.post(`/v1/organizations/${tenant.id}/users`, { email: `idle-${index}@example.com` }).expect(201);
        await sleep(IDLE_PAUSE_MS);
      }
      await system.receiver.waitFor(before + IDLE_EVENTS, 30_000);
      const latencies = system.receiver.requests
        .slice(before)
        .map(({ body, receivedAt }) => receivedAt - Date.parse(JSON.parse(body.toString()).timestamp));
      const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
      process.stdout.write(`event to receiver, idle: p50 ${p50} ms, p99 ${p99} ms\n`);
      expect(p50).toBeLessThan(IDLE_P50_MAX_MS);
    },
    LIMIT_MS,
  );

  it(
    'loses no confirmed change while a worker is killed and started again',
    async () => {
      const account = postgresAccount();
      for (let fault = 0; fault < FAULTS; fault++) {
        const { url, dataDir } = system.cluster.workers[fault % 2]!;
        const worker = await PostgresProcess.of(url, dataDir, account);
        await expectNothingLost(`worker-killed-${fault + 1}`, async () => {
          await worker.kill();
          await sleep(WORKER_DOWN_MS);
          await worker.start();
        });
      }
    },
    LIMIT_MS * FAULTS,
  );

  it(
    'loses no confirmed change during the move of a shard to another worker',
    async () => {
      const [from, to] = system.cluster.workers;
      await expectNothingLost('shard-moved', async () => {
        const { rows } = await system.database.query<{ shard: string }>(
          `SELECT shardid AS shard FROM citus_shards WHERE table_name = 'organizations'::regclass AND nodeport = $1 ORDER BY 1 LIMIT 1`,
          [from!.port],
        );
        await system.database.query(
          `SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => 'force_logical')`,
          [rows[0]!.shard, from!.port, to!.port],
        );
      });
    },
    LIMIT_MS,
  );
});

/** Returns the number of responses with each status. */
function statusCounts(responses: readonly { status: number }[]): string {
  const statuses = [...new Set(responses.map(({ status }) => status))].toSorted();
  const counts = statuses.map(
    (status) => `${responses.filter((each) => each.status === status).length} × ${status || 'no response'}`,
  );
  return counts.join(', ') || 'none';
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Returns the longest time between the ends of two successive confirmed writes. */
function longestPauseMs(log: readonly TenantWrite[]): number {
  const ends = log
    .filter(({ outcome }) => outcome === 'done')
    .map(({ startedAt, tookMs }) => startedAt + tookMs)
    .toSorted((one, other) => one - other);
  return Math.max(0, ...ends.slice(1).map((end, index) => end - ends[index]!));
}
