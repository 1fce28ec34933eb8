import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../support/free-port.js';

const RECEIVER = join(import.meta.dirname, '../../examples/receiver.mjs');
const SECRET = 'whsec_b3VyIG93biBzZWNyZXQ=';
const BODY = '{"id":"evt_1","type":"user.created","data":{"name":"Zoë 🙂"}}';

const now = (): number => Math.floor(Date.now() / 1_000);
const signature = (timestamp: number, body: string): string =>
  createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');

describe('the example receiver', () => {
  let receiver: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}/`;
    const env = { ...process.env, WEBHOOK_SECRET: SECRET, RECEIVER_PORT: String(port) };
    receiver = spawn(process.execPath, [RECEIVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(receiver.stdout!, 'data');
  });

  afterAll(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });

  const statusOf = async (header: string | undefined, body = BODY): Promise<number> => {
    const headers: Record<string, string> = header === undefined ? {} : { 'service-signature': header };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };

  it.each([
    ['a genuine delivery', 204, () => `t=${now()},v1=${signature(now(), BODY)}`],
    ['a 290-second-old delivery', 204, () => `t=${now() - 290},v1=${signature(now() - 290, BODY)}`],
    ['a 310-second-old delivery', 401, () => `t=${now() - 310},v1=${signature(now() - 310, BODY)}`],
    ['a changed timestamp', 401, () => `t=${now()},v1=${signature(now() - 9, BODY)}`],
    ['a changed body', 401, () => `t=${now()},v1=${signature(now(), `${BODY} `)}`],
    ['a delivery without a signature', 401, () => undefined],
    ['a malformed signature', 401, () => `t=${now()},v1=00`],
  ])('responds to %s with status %i', async (_, status, header) => {
    expect(await statusOf(header())).toBe(status);
  });
});
