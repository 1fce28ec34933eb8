import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Queue from 'bull';
import { Client } from 'pg';
import { Agent, request } from 'undici';

const FILE = fileURLToPath(import.meta.url);
const CONCURRENCY = 64;
const JOBS_PER_COMMAND = 1_000;
const ROWS_PER_BATCH = 500;

/**
 * Starts the baseline of deliveries with Bull: each job sends one request to the receiver with undici, and the results are inserted
 * into PostgreSQL in batches. Nothing is claimed, signed, retried or logged.
 */
export async function startDeliveriesBaseline({ databaseUrl, redisUrl, receiverUrl }) {
  const child = fork(FILE, {
    execArgv: [],
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, RECEIVER_URL: receiverUrl },
  });
  await once(child, 'message');
  return {
    /** Returns the deliveries per second of a prepared backlog, measured until the last result is committed. */
    drain: async (count, body) => {
      child.send({ count, body });
      const [{ perSecond }] = await once(child, 'message');
      return perSecond;
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function serve({ DATABASE_URL, REDIS_URL, RECEIVER_URL }) {
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(
    'CREATE TABLE results (id text PRIMARY KEY, status integer NOT NULL, duration_ms integer NOT NULL, at timestamptz NOT NULL)',
  );
  const dispatcher = new Agent({ connections: CONCURRENCY, pipelining: 1 });
  process.on('message', async ({ count, body }) => {
    const perSecond = await drain({ client, dispatcher, count, body, redisUrl: REDIS_URL, receiverUrl: RECEIVER_URL });
    process.send({ perSecond });
  });
  // Ends this process with the benchmark, even if the benchmark is killed.
  process.once('disconnect', () => process.exit());
  process.send('ready');
}

async function drain({ client, dispatcher, count, body, redisUrl, receiverUrl }) {
  const queue = new Queue(randomUUID(), redisUrl, { prefix: '{baseline}' });
  await queue.isReady();
  for (let start = 0; start < count; start += JOBS_PER_COMMAND) {
    const size = Math.min(JOBS_PER_COMMAND, count - start);
    const jobs = Array.from({ length: size }, () => ({ data: { id: randomUUID() }, opts: { removeOnComplete: true } }));
    await queue.addBulk(jobs);
  }
  const results = resultWriter(client, count);
  const startedAt = performance.now();
  void queue.process(CONCURRENCY, async ({ data: { id } }) => {
    const sentAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const response = await request(receiverUrl, { dispatcher, method: 'POST', headers, body });
    await response.body.dump();
    results.add({ id, status: response.statusCode, duration_ms: Math.round(performance.now() - sentAt), at: new Date() });
  });
  await results.written;
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  await queue.close();
  return perSecond;
}

/** Inserts results in batches until there are `count` rows. */
function resultWriter(client, count) {
  let pendingRows = [];
  let writtenCount = 0;
  let isWriting = false;
  let resolve;
  const written = new Promise((settle) => (resolve = settle));
  const write = async () => {
    isWriting = true;
    while (pendingRows.length > 0) {
      const batch = pendingRows.splice(0, ROWS_PER_BATCH);
      await client.query(
        `INSERT INTO results SELECT * FROM json_to_recordset($1::json) AS r (id text, status int, duration_ms int, at timestamptz)`,
        [JSON.stringify(batch)],
      );
      writtenCount += batch.length;
    }
    isWriting = false;
    if (writtenCount === count) resolve();
  };
  return {
    written,
    add: (row) => {
      pendingRows.push(row);
      if (!isWriting) void write();
    },
  };
}

if (process.env.RECEIVER_URL) await serve(process.env);
