import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { getEventListeners, once } from 'node:events';
import { type RequestListener } from 'node:http';
import { type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NetworkPolicy } from '#platform/outbound';
import * as local from '../../../../../test/support/local-receiver.js';
import { GuardedHttpClient, type GuardedHttpClientOptions, type PostRequest } from './guarded-http-client.js';

const loopback = new NetworkPolicy(['127.0.0.0/8']);
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 as const }];
const opened: { close: () => Promise<void> }[] = [];

function keep<Opened extends { close: () => Promise<void> }>(closable: Opened): Opened {
  opened.push(closable);
  return closable;
}
const clientWith = (options: GuardedHttpClientOptions = {}) =>
  keep(new GuardedHttpClient(loopback, { lookup: toLoopback, ...options }));
const http = async (answer: RequestListener) => keep(await local.listenHttp(answer));
const tcp = async (accept?: (socket: Socket) => void) => keep(await local.listenTcp(accept));
const post = (client: GuardedHttpClient, url: string, change: Partial<PostRequest> = {}) =>
  client.post(url, { headers: {}, body: '{}', timeoutMs: 2_000, ...change });
const postTo = async (answer: RequestListener, change?: Partial<PostRequest>) =>
  post(clientWith(), `http://127.0.0.1:${(await http(answer)).port}/hook`, change);
const postToRaw = async (answer: string, change?: Partial<PostRequest>) =>
  post(clientWith(), `http://127.0.0.1:${(await tcp((socket) => socket.once('data', () => socket.end(answer)))).port}/`, change);

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

afterEach(async () => {
  await Promise.all(opened.splice(0).map((closable) => closable.close()));
});

describe('request of the HTTP client', () => {
  it('contains exactly the given body and headers', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    let received: unknown;
    const answer: RequestListener = async (request, response) => {
      received = { method: request.method, url: request.url, headers: request.headers, body: await local.bodyOf(request) };
      response.end();
    };
    await postTo(answer, { body, headers: { 'content-type': 'application/json', 'x-a': 'b' } });

    expect(received).toEqual({
      method: 'POST',
      url: '/hook',
      headers: {
        host: expect.stringContaining('127.0.0.1:'),
        connection: 'keep-alive',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'content-length': '4',
        'x-a': 'b',
      },
      body,
    });
  });

  it.each<Record<string, string>>([
    { 'x-a': 'b\r\nx-injected: 1' },
    { 'x-a\r\nx-injected': '1' },
    { 'x-a': 'é🙂' },
    { host: 'x' },
    { 'Transfer-Encoding': 'chunked' },
  ])('is not sent with the invalid headers %j', async (headers) => {
    const receiver = await http((_, response) => response.end());
    const outcome = await post(clientWith(), `http://127.0.0.1:${receiver.port}/`, { headers });
    expect(outcome).toMatchObject({ kind: 'error', errorKind: 'protocol' });
    expect(receiver.connectionCount()).toBe(0);
  });

  it('contains the host without its final dot', async () => {
    let received: unknown;
    const { port } = await http((request, response) => {
      received = [request.headers.host, request.url];
      response.end();
    });
    await post(clientWith(), `http://receiver.test.:${port}/hook?a=b`);
    expect(received).toEqual([`receiver.test:${port}`, '/hook?a=b']);
  });

  it('is retried if the receiver closes the reused connection without a response', async () => {
    let requestCount = 0;
    const receiver = await tcp((socket) => {
      let answered = false;
      socket.on('data', () => {
        requestCount += 1;
        if (answered) socket.resetAndDestroy();
        else socket.write(OK);
        answered = true;
      });
    });
    const client = clientWith({ socketsPerOriginMax: 1 });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const outcomes = [await post(client, url), await post(client, url)];
    expect(outcomes).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect([requestCount, receiver.connectionCount()]).toEqual([3, 2]);
  });

  it('reuses an open connection', async () => {
    const receiver = await http((_, response) => response.end('x'.repeat(60_000)));
    const client = clientWith();
    for (let round = 0; round < 20; round += 1) await post(client, `http://receiver.test:${receiver.port}/`);
    // A response ends shortly before its connection is free again, so the client may open a second connection.
    expect(receiver.connectionCount()).toBeLessThanOrEqual(2);
  });
});

describe('response to the HTTP client', () => {
  it('is returned with status, headers and text', async () => {
    const outcome = await postTo((_, response) =>
      response
        .writeHead(
          503,
          [
            ['Retry-After', '5'],
            ['X-A', '1'],
            ['X-A', '2'],
          ].flat(),
        )
        .end('später'),
    );
    expect(outcome).toMatchObject({ kind: 'response', status: 503, body: 'später', bodyTruncated: false });
    expect(outcome).toMatchObject({ headers: { 'retry-after': '5', 'x-a': '1, 2' }, durationMs: expect.any(Number) });
  });

  it.each([301, 302, 303, 307, 308])('is not followed if it is a redirect (%i)', async (status) => {
    let requestCount = 0;
    const outcome = await postTo((_, response) => {
      requestCount += 1;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(outcome).toMatchObject({ kind: 'response', status, headers: { location: '/elsewhere' } });
    expect(requestCount).toBe(1);
  });

  it('is cut after 16 KiB, without a partial character', async () => {
    const outcome = await postTo((_, response) => response.end(`a${'é'.repeat(20_000)}`));
    expect(outcome).toMatchObject({ kind: 'response', bodyTruncated: true, body: `a${'é'.repeat(8191)}` });
    expect(await postTo((_, response) => response.end('b'.repeat(16_384)))).toMatchObject({ bodyTruncated: false });
  });

  it('ends after 64 KiB of an endless body, and its connection is closed', async () => {
    let sentBytes = 0;
    let closed: Promise<unknown> | undefined;
    const outcome = await postTo((_, response) => {
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) sentBytes += 16_384;
      };
      closed = once(response.on('drain', pump), 'close');
      pump();
    });
    expect(outcome).toMatchObject({ kind: 'response', status: 200, bodyTruncated: true, body: 'x'.repeat(16_384) });
    await closed;
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  });

  it('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const outcome = await postTo((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(outcome).toMatchObject({ kind: 'response', status: 200, headers: { 'content-encoding': 'gzip' } });
    expect(outcome).toHaveProperty('body', expect.stringContaining('\uFFFD'));
    expect(outcome).toHaveProperty('body', expect.not.stringContaining('\0'));
  });

  it.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\nx-b: 1\r\n\r\n'],
    ['100 of HTTP/1.0 without a reason', 'HTTP/1.0 100\r\n\r\n'],
    ['sixteen', 'HTTP/1.1 199 x\r\n\r\n'.repeat(16)],
  ])('is the final one after informational responses (%s)', async (_, informational) => {
    const expected = { kind: 'response', status: 200, headers: { 'content-length': '2' }, body: 'ok' };
    expect(await postToRaw(informational + OK)).toMatchObject(expected);
    // Each byte arrives alone, and the connection is used again.
    const receiver = await tcp((socket) =>
      socket.setNoDelay().on('data', async () => {
        for (const byte of informational + OK) await new Promise((sent) => socket.write(byte, sent));
      }),
    );
    const client = clientWith();
    for (let round = 0; round < 2; round += 1)
      expect(await post(client, `http://127.0.0.1:${receiver.port}/`)).toMatchObject(expected);
  });

  it('is not the text of an informational response in its body', async () => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n';
    expect(await postToRaw(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)).toMatchObject({ body });
  });

  it('is the first one if the receiver sends two', async () => {
    const smuggled = 'HTTP/1.1 500 Smuggled\r\ncontent-length: 0\r\n\r\n';
    expect(await postToRaw(OK + smuggled)).toMatchObject({ kind: 'response', status: 200, body: 'ok' });
  });

  it('keeps unusual header names', async () => {
    const outcome = await postToRaw('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n');
    expect(Object.entries(outcome.kind === 'response' ? outcome.headers : {})).toContainEqual(['__proto__', 'x']);
  });
});

describe('error of the HTTP client', () => {
  it.each([
    ['text that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
    ['too large headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'protocol'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'protocol'],
    ['a switch of protocols without upgrade', `HTTP/1.1 101 Switching Protocols\r\n\r\n${OK}`, 'protocol'],
    ['too many informational responses', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(17) + OK, 'protocol'],
    ['a too long informational response', `HTTP/1.1 103 Early Hints\r\nx: ${'y'.repeat(20_000)}`, 'protocol'],
    ['only an informational response', 'HTTP/1.1 100 Continue\r\n\r\n', 'reset'],
    ['an unknown status', `HTTP/1.1 1000 Huge\r\n\r\n${OK}`, 'protocol'],
    ['an incomplete body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'reset'],
    ['no content', '', 'reset'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nab', 'protocol'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
      'protocol',
    ],
    ['a chunk of absurd size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx', 'protocol'],
    ['a header over two lines', 'HTTP/1.1 200 OK\r\nx: a\r\n b: c\r\n\r\n', 'protocol'],
  ])('is returned for a response with %s', async (_, answer, errorKind) => {
    expect(await postToRaw(answer)).toMatchObject({ kind: 'error', errorKind, message: expect.stringMatching(/\.$/) });
  });

  it('is returned for a reset connection', async () => {
    const receiver = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(clientWith(), `http://127.0.0.1:${receiver.port}/`)).toMatchObject({ kind: 'error', errorKind: 'reset' });
  });

  it('is returned for a closed port and an unknown host name', async () => {
    const receiver = await local.listenTcp();
    await receiver.close();
    expect(await post(clientWith(), `http://127.0.0.1:${receiver.port}/`)).toMatchObject({ errorKind: 'connect' });
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await post(clientWith({ lookup }), 'https://unknown.test/')).toMatchObject({ errorKind: 'dns' });
  });

  it.each<[string, RequestListener]>([
    ['no headers', () => undefined],
    ['no end of the body', (_, response) => response.writeHead(200).write('half')],
    ['a body that arrives byte by byte', (_, response) => setInterval(() => response.write('.'), 20).unref()],
  ])('is a timeout if the response has %s', async (_, answer) => {
    const outcome = await postTo(answer, { timeoutMs: 150 });
    expect(outcome).toMatchObject({
      kind: 'error',
      errorKind: 'timeout',
      message: 'The destination did not send a complete response within 150 ms.',
    });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(149);
    expect(outcome.durationMs).toBeLessThan(20_000);
  });

  it('is a timeout when a lookup or a TLS handshake does not end', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    expect(await post(clientWith({ lookup, connectTimeoutMs: 400 }), 'https://x.test/', { timeoutMs: 100 })).toMatchObject({
      errorKind: 'timeout',
    });
    const silent = await tcp();
    const client = clientWith({ connectTimeoutMs: 400 });
    expect(await post(client, `https://127.0.0.1:${silent.port}/`, { timeoutMs: 100 })).toMatchObject({ errorKind: 'timeout' });
    expect(await post(client, `https://127.0.0.1:${silent.port}/`)).toMatchObject({
      errorKind: 'timeout',
      message: 'The destination did not accept the connection in time.',
    });
  });

  it('is `aborted` if the caller stops the request, before or after its start', async () => {
    const receiver = await http(() => undefined);
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(await post(clientWith(), url, { signal: AbortSignal.abort() })).toMatchObject({ errorKind: 'aborted' });
    expect(receiver.connectionCount()).toBe(0);
    expect(await post(clientWith(), url, { signal: AbortSignal.timeout(50) })).toMatchObject({
      errorKind: 'aborted',
      message: 'The delivery was stopped before a response arrived.',
    });
  });

  it('is `aborted` for all requests of one signal, with only one listener', async () => {
    const receiver = await http(() => undefined);
    const [client, caller] = [clientWith(), new AbortController()];
    const outcomes = Array.from({ length: 20 }, () =>
      post(client, `http://127.0.0.1:${receiver.port}/`, { signal: caller.signal }),
    );
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    caller.abort();
    expect(new Set((await Promise.all(outcomes)).map((outcome) => outcome.kind === 'error' && outcome.errorKind))).toEqual(
      new Set(['aborted']),
    );
  });

  it('is `aborted` for a request after the client was closed', async () => {
    const client = clientWith();
    await client.close();
    expect(await post(client, 'https://127.0.0.1/')).toMatchObject({ errorKind: 'aborted' });
  });
});

describe('TLS connection of the HTTP client', () => {
  let certificate: local.Certificate;
  beforeAll(() => {
    certificate = local.selfSignedCertificate('receiver.test');
  });
  const https = async () =>
    keep(
      await local.listenHttps(certificate, (_, response) => {
        response.writeContinue();
        response.end('secure');
      }),
    );

  it('accepts a trusted certificate, also for a host name with a final dot', async () => {
    const { port } = await https();
    const client = clientWith({ tlsCa: certificate.cert });
    expect(await post(client, `https://receiver.test:${port}/`)).toMatchObject({ kind: 'response', body: 'secure' });
    expect(await post(client, `https://receiver.test.:${port}/`)).toMatchObject({ kind: 'response', body: 'secure' });
  });

  it('rejects a self-signed certificate, the certificate of another host, and a server without TLS', async () => {
    const { port } = await https();
    expect(await post(clientWith(), `https://receiver.test:${port}/`)).toMatchObject({ errorKind: 'tls' });
    const trusting = clientWith({ tlsCa: certificate.cert });
    expect(await post(trusting, `https://other.test:${port}/`)).toMatchObject({ errorKind: 'tls' });
    expect(await post(trusting, `https://127.0.0.1:${port}/`)).toMatchObject({ errorKind: 'tls' });
    const plain = await http((_, response) => response.end());
    expect(await post(trusting, `https://receiver.test:${plain.port}/`)).toMatchObject({ errorKind: 'tls' });
  });
});

describe('limits of the HTTP client', () => {
  it('let a destination without responses use only its own share of the sockets', async () => {
    const dead = await tcp();
    const healthy = await http((_, response) => response.end('ok'));
    const client = clientWith({ socketsPerOriginMax: 3 });
    const held = Array.from({ length: 20 }, () => post(client, `http://127.0.0.1:${dead.port}/`, { timeoutMs: 3_000 }));
    await delay(50);

    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => post(client, `http://127.0.0.1:${healthy.port}/`, { timeoutMs: 2_000 })),
    );
    expect(dead.connectionCount()).toBe(3);
    expect(outcomes.filter(({ kind }) => kind === 'response')).toHaveLength(30);
    expect(healthy.connectionCount()).toBeLessThanOrEqual(3);
    expect((await Promise.all(held)).every((outcome) => outcome.kind === 'error' && outcome.errorKind === 'timeout')).toBe(true);
  });

  it('allow all requests again after many failures', async () => {
    const client = clientWith({ socketsPerOriginMax: 1 });
    const receiver = await http((_, response) => response.end('ok'));
    for (let index = 0; index < 10; index += 1) await post(client, 'https://10.0.0.1/');
    expect(await post(client, `http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 });
  });
});
