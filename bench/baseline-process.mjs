import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processorTimeMs } from './processor-time.mjs';
import { findFreePort } from '../test/support/free-port.ts';

/** Starts the baseline in a child process, which ends with this process. */
export async function startBaseline(databaseUrl) {
  const port = await findFreePort();
  const authorization = 'Bearer baseline';
  const child = fork(join(import.meta.dirname, 'baseline.mjs'), {
    execArgv: [],
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, PORT: String(port), AUTHORIZATION: authorization },
  });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (message !== 'ready') throw new Error('The baseline did not start.');
  return {
    url: `http://127.0.0.1:${port}`,
    processorTimeMs: () => processorTimeMs(child.pid),
    headers: { authorization, 'content-type': 'application/json' },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
