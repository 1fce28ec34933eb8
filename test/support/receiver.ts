import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenHttp } from './local-receiver.js';
import { testServer } from './test-server.js';

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

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a webhook receiver on 127.0.0.1 that records every request. The default response is 200. */
export async function startReceiver(
  behavior: (request: ReceivedRequest, index: number) => ReceiverResponse | void = () => undefined,
) {
  const requests: ReceivedRequest[] = [];
  const listener = await listenHttp(async (message, response) => {
    const { method = '', url: path = '', headers } = message;
    const body = await buffer(message).catch(() => undefined);
    if (!body) return;
    const request = { method, path, headers, body, receivedAt: Date.now() };
    const index = requests.push(request) - 1;
    const reply = behavior(request, index) ?? {};
    if (reply.delayMs) await sleep(reply.delayMs, undefined, { ref: false });
    if (!response.destroyed) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '');
  });
  return {
    url: `http://127.0.0.1:${listener.port}/`,
    requests,
    /** Resolves to the first `count` requests. Rejects after `timeoutMs`. */
    waitFor: async (count: number, timeoutMs: number) => {
      for (const deadline = performance.now() + timeoutMs; requests.length < count; await sleep(5)) {
        if (performance.now() > deadline)
          throw new Error(`The receiver got ${requests.length} of ${count} requests in ${timeoutMs} ms`);
      }
      return requests.slice(0, count);
    },
    /** Stops the receiver and closes the connections of pending requests. */
    stop: () => listener.close(),
  };
}

/** Starts a receiver before the tests of the file or block and stops it after them. Only tests and hooks can use it. */
export const testReceiver = (...behavior: Parameters<typeof startReceiver>): Receiver =>
  testServer(() => startReceiver(...behavior));
