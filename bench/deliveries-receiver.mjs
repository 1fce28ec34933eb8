import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(import.meta.url);
const WAIT_LIMIT_MS = 300_000;
const TIMESTAMP = /"timestamp":"([^"]+)"/;

/** A receiver in a process of its own, so that it takes nothing from the bench or the service but the processors that all share. */
export async function startReceiver() {
  const child = fork(FILE, { execArgv: [], env: { PATH: process.env.PATH, RECEIVE: '1' } });
  const [{ port }] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    /** Forgets what came, and waits from now on for so many. */
    expect: (count) => {
      const settled = settlement(child);
      child.send({ expect: count });
      return settled;
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Resolves with the time from event to receipt of each, in milliseconds. */
async function settlement(child) {
  const [answer] = await once(child, 'message', { signal: AbortSignal.timeout(WAIT_LIMIT_MS) });
  return answer.latenciesMs;
}

/** Answers at once, and notes how long ago each event happened. */
async function receive() {
  let expected = Infinity;
  let latenciesMs = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const receivedAt = Date.now();
      response.end();
      const [, happenedAt] = TIMESTAMP.exec(Buffer.concat(chunks).toString()) ?? [];
      latenciesMs.push(receivedAt - Date.parse(happenedAt));
      if (latenciesMs.length === expected) process.send({ latenciesMs });
    });
  });
  process.on('message', (message) => {
    expected = message.expect;
    latenciesMs = [];
  });
  // Nothing of it outlives the bench, however that ends.
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send({ port: server.address().port });
}

if (process.env.RECEIVE) await receive();
