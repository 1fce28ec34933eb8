import { fork } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../test/support/free-port.ts';
import { processorTimeMs } from '../processor-time.mjs';

export const get = (path, headers) => ({ method: 'GET', path, ...(headers && { headers }) });
export const post = (path, body, headers) => ({ method: 'POST', path, body: JSON.stringify(body), ...(headers && { headers }) });
export const form = (path, fields) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** Starts a Node.js server in a child process, which ends with this process. The server sends its first message when it is ready. */
export async function startServer(file, environment) {
  const port = await findFreePort();
  const child = fork(file, { execArgv: [], env: { PATH: process.env.PATH, PORT: String(port), ...environment } });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof message === 'number' || message === null) throw new Error(`${file} did not start.`);
  return {
    url: `http://127.0.0.1:${port}`,
    message,
    processorTimeMs: () => processorTimeMs(child.pid),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
