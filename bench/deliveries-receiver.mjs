import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(import.meta.url);
const WAIT_LIMIT_MS = 300_000;
const TIMESTAMP = /"timestamp":"([^"]+)"/;

/** Starts a receiver in a separate process, which shares only the processors with the benchmark and the service. */
export async function startReceiver() {
  const child = fork(FILE, { execArgv: [], env: { PATH: process.env.PATH, RECEIVE: '1' } });
  const [{ port }] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    /** Discards received requests and waits for `count` new requests. Resolves to their latencies in milliseconds. */
    expect: (count) => {
      const latencies = receiveLatencies(child);
      child.send({ expect: count });
      return latencies;
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Returns the milliseconds from event to receipt, for each request. */
async function receiveLatencies(child) {
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(WAIT_LIMIT_MS) });
  return message.latenciesMs;
}

/** Responds immediately, and records the time since each event. */
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
  // Ends this process with the benchmark, even if the benchmark is killed.
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send({ port: server.address().port });
}

if (process.env.RECEIVE) await receive();
