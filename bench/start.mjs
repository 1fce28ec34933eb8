import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service.mjs';
import { median } from './statistics.mjs';
import { createDatabase, dropDatabase } from './stores.mjs';

const DATABASE = 'bench_start';

/** Maximum milliseconds from spawn to ready, on a machine on which a minimal NestJS application with TypeORM needs 600 ms. */
export const START_LIMITS = { databaseUpMs: 2_000, emptyMachineMs: 6_000 };

/**
 * Measures the time from the spawn of the built server until `/health/ready` responds, with a running migrated database and with a new
 * embedded PostgreSQL. Alternates with a minimal NestJS application with TypeORM.
 */
export async function measureStart(url, { rounds, nodeOptions }, log) {
  const databaseUrl = await createDatabase(url, DATABASE);
  const times = { bare: [], databaseUp: [], emptyMachine: [] };
  try {
    for (let round = 1; round <= rounds; round++) {
      log(`starts, round ${round} of ${rounds}`);
      times.bare.push(await bareStartMs(databaseUrl));
      times.databaseUp.push(await startMs(databaseUrl, {}, nodeOptions));
      times.emptyMachine.push(await onEmptyMachine((dataDir) => startMs(undefined, { DATA_DIR: dataDir })));
    }
  } finally {
    await dropDatabase(url, DATABASE);
  }
  const bareMs = median(times.bare);
  const databaseUpMs = median(times.databaseUp);
  return { bareMs, databaseUpMs, emptyMachineMs: median(times.emptyMachine), timesBare: databaseUpMs / bareMs, rounds: times };
}

async function startMs(databaseUrl, environment, nodeOptions) {
  const service = await startService(databaseUrl, environment, nodeOptions);
  await service.stop();
  return service.readyMs;
}

async function bareStartMs(databaseUrl) {
  const startedAt = performance.now();
  const child = fork(join(import.meta.dirname, 'start-baseline.mjs'), {
    execArgv: [],
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (message !== 'ready') throw new Error('The bare application did not start.');
  const tookMs = performance.now() - startedAt;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return tookMs;
}

async function onEmptyMachine(run) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    return await run(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
