import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { buildConnector, Dispatcher } from 'undici';
import { withFinalResponses } from '#platform/outbound';
import { Exchange } from './exchange.js';
import { DeliveryRefused, type HttpOutcome } from './http-outcome.js';

const REQUEST = { origin: 'https://receiver.test', path: '/', method: 'POST' } as const;

/** Simulates undici in an exchange. Records the request, and whether it was aborted. */
function undiciSide() {
  const dispatched: Dispatcher.DispatchOptions[] = [];
  const aborted: (Error | null)[] = [];
  const dispatcher = { dispatch: (options: Dispatcher.DispatchOptions) => dispatched.push(options) > 0 } as unknown as Dispatcher;
  const controller = { abort: (reason: Error) => void aborted.push(reason) } as unknown as Dispatcher.DispatchController;
  return { dispatched, aborted, dispatcher, controller };
}

function started() {
  const outcomes: HttpOutcome[] = [];
  const exchange = new Exchange((outcome) => void outcomes.push(outcome));
  const undici = undiciSide();
  exchange.begin(undici.dispatcher, REQUEST);
  exchange.onRequestStart(undici.controller);
  return { outcomes, exchange, ...undici };
}

const STOPPED = new DeliveryRefused('aborted', 'Stopped.');

/** Returns the error of a connection that the server closes after the first response, while the client sends the next request. */
function staleConnection(): Error {
  const socket = Object.assign(new EventEmitter(), { bytesWritten: 1, read: () => Buffer.from('HTTP/1.1 200 OK\r\n') });
  const connect = ((_, callback) => callback(null, socket as never)) as buildConnector.connector;
  withFinalResponses(connect)({ hostname: '', protocol: 'https:', port: '' }, () => undefined);
  socket.read();
  socket.bytesWritten = 2;
  const error = Object.assign(new Error('x'), { code: 'ECONNRESET' });
  socket.emit('error', error);
  return error;
}

describe('exchange', () => {
  it('has the response as its only outcome', () => {
    const { outcomes, exchange, dispatched, aborted, controller } = started();
    exchange.onResponseStart(controller, 201, { 'x-a': '1' });
    exchange.onResponseData(controller, Buffer.from('do'));
    exchange.onResponseData(controller, Buffer.from('ne'));
    expect(outcomes).toEqual([]);
    exchange.onResponseEnd();
    exchange.onResponseError(controller, new Error('later'));
    exchange.stop(STOPPED);
    expect(outcomes).toEqual([
      {
        kind: 'response',
        status: 201,
        headers: { 'x-a': '1' },
        body: 'done',
        bodyTruncated: false,
        durationMs: expect.any(Number),
      },
    ]);
    expect([dispatched, aborted]).toEqual([[REQUEST], []]);
  });

  it('joins repeated headers and treats __proto__ as a plain name', () => {
    const { outcomes, exchange, controller } = started();
    const headers = JSON.parse('{"set-cookie": ["a=1", "b=2"], "__proto__": "x", "toString": "y"}') as Record<string, string>;
    exchange.onResponseStart(controller, 200, { ...headers, ['__proto__']: 'x', none: undefined });
    exchange.onResponseEnd();
    expect(Object.entries((outcomes[0] as { headers: object }).headers)).toEqual([
      ['set-cookie', 'a=1, b=2'],
      ['__proto__', 'x'],
      ['toString', 'y'],
      ['none', ''],
    ]);
  });

  it('truncates a response longer than 64 KiB and aborts the request', () => {
    const { outcomes, exchange, aborted, controller } = started();
    exchange.onResponseStart(controller, 200, {});
    exchange.onResponseData(controller, Buffer.alloc(64 * 1_024, 'x'));
    expect([outcomes, aborted]).toEqual([[], []]);
    exchange.onResponseData(controller, Buffer.from('y'));
    expect(outcomes).toMatchObject([{ kind: 'response', status: 200, bodyTruncated: true }]);
    expect(aborted).toEqual([expect.objectContaining({ message: expect.stringContaining('too long') })]);
  });

  it('has the error as its outcome when the request fails', () => {
    const { outcomes, exchange, controller } = started();
    exchange.onResponseError(controller, Object.assign(new Error('x'), { code: 'ECONNRESET' }));
    exchange.onResponseEnd();
    expect(outcomes).toMatchObject([{ kind: 'error', errorKind: 'reset' }]);
  });

  it('sends the request again at most three times because of connections that the server has closed', async () => {
    const { outcomes, exchange, dispatched, controller } = started();
    for (const requests of [2, 3, 4]) {
      exchange.onResponseError(controller, staleConnection());
      await Promise.resolve();
      expect([dispatched.length, outcomes]).toEqual([requests, []]);
    }
    exchange.onResponseError(controller, staleConnection());
    await Promise.resolve();
    expect(dispatched).toHaveLength(4);
    expect(outcomes).toMatchObject([{ kind: 'error', errorKind: 'reset' }]);
  });

  it('has an error as its outcome when undici rejects the request', () => {
    const outcomes: HttpOutcome[] = [];
    const refusing = {
      dispatch: () => {
        throw Object.assign(new Error('x'), { code: 'UND_ERR_INVALID_ARG' });
      },
    } as unknown as Dispatcher;
    new Exchange((outcome) => void outcomes.push(outcome)).begin(refusing, REQUEST);
    expect(outcomes).toMatchObject([{ kind: 'error', errorKind: 'protocol' }]);
  });

  it('ends immediately and closes its connection when it is stopped', () => {
    const { outcomes, exchange, aborted } = started();
    exchange.stop(STOPPED);
    exchange.stop(STOPPED);
    expect(outcomes).toMatchObject([{ kind: 'error', errorKind: 'aborted', message: 'Stopped.' }]);
    expect(aborted).toEqual([STOPPED]);
  });

  it('never starts after it was stopped, even if its connection opens later', () => {
    const outcomes: HttpOutcome[] = [];
    const exchange = new Exchange((outcome) => void outcomes.push(outcome));
    const { dispatched, aborted, dispatcher, controller } = undiciSide();
    exchange.stop(STOPPED);
    exchange.begin(dispatcher, REQUEST);
    expect(dispatched).toEqual([]);
    exchange.onRequestStart(controller);
    expect(aborted).toEqual([expect.objectContaining({ message: 'The request was canceled.' })]);
    expect(outcomes).toHaveLength(1);
  });

  it('returns its duration', async () => {
    const before = performance.now();
    const { outcomes, exchange } = started();
    await new Promise((resolve) => setTimeout(resolve, 30));
    exchange.onResponseEnd();
    const [{ durationMs } = { durationMs: 0 }] = outcomes;
    expect(durationMs).toBeGreaterThanOrEqual(28);
    expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
    expect(Number.isInteger(durationMs)).toBe(true);
  });
});
