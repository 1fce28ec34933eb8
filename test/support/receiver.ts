import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from '@jest/globals';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The received bytes. */
  body: Buffer;
  /** The time of the end of the body, in milliseconds since 1970. */
  receivedAt: number;
}

export interface ReceiverResponse {
  status?: number;
  body?: string;
  delayMs?: number;
  headers?: Record<string, string>;
}

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Resolves to the first `count` requests. Rejects after `timeoutMs`. */
  waitFor(count: number, timeoutMs: number): Promise<ReceivedRequest[]>;
  /** Stops the receiver and closes the connections of pending requests. */
  stop(): Promise<void>;
}

/** Starts a webhook receiver on 127.0.0.1 that records every request. The default response is 200. */
export async function startReceiver(
  behavior: (request: ReceivedRequest, index: number) => ReceiverResponse | void = () => undefined,
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (message, response) => {
    const request = await receive(message).catch(() => undefined);
    if (!request) return;
    const index = requests.push(request) - 1;
    const reply = behavior(request, index) ?? {};
    for (const check of waiting) check();
    if (reply.delayMs) await sleep(reply.delayMs, undefined, { ref: false });
    if (!response.destroyed) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    waitFor: (count, timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`The receiver got ${requests.length} of ${count} requests in ${timeoutMs} ms`));
        }, timeoutMs);
        const check = (): void => {
          if (requests.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(requests.slice(0, count));
        };
        waiting.add(check);
        check();
      }),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Starts a receiver before the tests of the file or block and stops it after them. Only tests and hooks can use it. */
export function testReceiver(...behavior: Parameters<typeof startReceiver>): Receiver {
  let receiver: Receiver | undefined;
  beforeAll(async () => {
    receiver = await startReceiver(...behavior);
  });
  afterAll(() => receiver?.stop());
  return new Proxy({} as Receiver, { get: (_, name) => receiver![name as keyof Receiver] });
}

async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body: Buffer.concat(chunks),
    receivedAt: Date.now(),
  };
}
