import { expect, it, jest } from '@jest/globals';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { testReceiver } from '../support/receiver.js';
import { testRedis } from '../support/redis.js';
import { IS_LONG, LIMIT_MS, SEED } from './fault-run.js';
import { Random } from './random.js';
import { TestService } from '../support/service-process.js';
import { testServer } from '../support/test-server.js';

const STOPS = IS_LONG ? 50 : 1;
/** Half of the clients reuse their connection. The other clients open a new connection for each request. */
const CLIENTS = 8;
const STOPPED_WITHIN_MS = 25_000;
const DRAINED_WITHIN_MS = 60_000;
const SLOWEST_ANSWER_MS = 100;
const USERS = '/v1/organizations/acme/users';

interface Refusal {
  email: string;
  code: string | undefined;
  /** Whether an earlier request used the connection. If so, the process has accepted the connection. */
  onUsedConnection: boolean;
}

const random = new Random(SEED);
const receiver = testReceiver(() => ({ delayMs: random.between(0, SLOWEST_ANSWER_MS) }));
const redis = testRedis();
const service = testServer(() => TestService.create({ REDIS_URL: redis.url }));

jest.setTimeout(LIMIT_MS);

function post(email: string, agent: Agent): Promise<number | Refusal> {
  const body = JSON.stringify({ email });
  return new Promise((resolve) => {
    const call = request({
      port: service.port,
      agent,
      host: '127.0.0.1',
      method: 'POST',
      path: USERS,
      headers: {
        authorization: `Bearer ${service.environment['PLATFORM_API_KEY']}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    const refuse = ({ code }: NodeJS.ErrnoException): void => resolve({ email, code, onUsedConnection: call.reusedSocket });
    call.once('error', refuse);
    call.once('response', (response) => {
      response.once('error', refuse);
      response.resume().once('end', () => resolve(response.statusCode!));
    });
    call.end(body);
  });
}

it(`the service loses no request in ${STOPS} clean stops under load`, async () => {
  const { client } = service;
  const created: string[] = [];
  const refusals: Refusal[] = [];
  const unexpectedStatuses: number[] = [];
  let slowestMs = 0;

  const sendUntilRefused = async (name: string, keepAlive: boolean): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let number = 0; ; number++) {
      const email = `${name}-${number}@example.com`;
      const result = await post(email, agent);
      if (result === 201) created.push(email);
      else if (typeof result === 'number') unexpectedStatuses.push(result);
      else refusals.push(result);
      if (typeof result === 'object' && result.code === 'ECONNREFUSED') return agent.destroy();
    }
  };

  for (let stop = 0; stop < STOPS; stop++) {
    const process = await service.start();
    if (stop === 0) {
      await client.post('/v1/organizations', { name: 'Acme' }).expect(201);
      await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
    }
    const sending = Array.from({ length: CLIENTS }, (_, index) => sendUntilRefused(`c${stop}-${index}`, index % 2 === 0));
    await sleep(random.between(300, 1_500));
    const stoppedAt = performance.now();
    const exit = await process.terminate();
    slowestMs = Math.max(slowestMs, performance.now() - stoppedAt);
    await Promise.all(sending);
    expect({ ...exit, stderr: process.stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  }

  await service.start();
  const requests = await receiver.waitFor(created.length, DRAINED_WITHIN_MS);
  await sleep(2_000);
  process.stdout.write(
    `${STOPS} times SIGTERM: ended after at most ${Math.round(slowestMs)} ms; ${created.length} requests with a response, ` +
      `${refusals.length} refused; ${receiver.requests.length} attempts for ${created.length} events\n`,
  );
  expect(unexpectedStatuses).toEqual([]);
  expect(refusals.filter(({ onUsedConnection }) => onUsedConnection)).toEqual([]);
  for (const { email } of refusals)
    expect((await client.get(`${USERS}?email=${email}`).expect(200)).body.pagination.total).toBe(0);
  expect(slowestMs).toBeLessThan(STOPPED_WITHIN_MS);
  expect(receiver.requests).toHaveLength(created.length);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(created.length);
});
