import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Listener, listenHttp, listenHttps, listenTcp, selfSignedCertificate } from './local-receiver.js';

export interface HostileServer {
  readonly name: string;
  /** The expected outcome of a delivery: the response status, or a pattern of the error kind. */
  readonly outcome: number | RegExp;
  start(canaryPort: number): Promise<{ listener: Listener; url: string }>;
}

const overTcp = (name: string, outcome: number | RegExp, accept: (socket: Socket) => void): HostileServer => ({
  name,
  outcome,
  start: async () => {
    const listener = await listenTcp(accept);
    return { listener, url: `http://127.0.0.1:${listener.port}/` };
  },
});

/** Returns a server that sends the text after the first bytes of a request. */
const withResponse = (name: string, outcome: number | RegExp, text: string): HostileServer =>
  overTcp(name, outcome, (socket) => socket.once('data', () => socket.end(text)));

const overHttp = (
  name: string,
  outcome: number | RegExp,
  listenerFor: (canaryPort: number) => RequestListener,
): HostileServer => ({
  name,
  outcome,
  start: async (canaryPort) => {
    const listener = await listenHttp(listenerFor(canaryPort));
    return { listener, url: `http://127.0.0.1:${listener.port}/` };
  },
});

const overTls = (name: string, certifiedName: string): HostileServer => ({
  name,
  outcome: /tls/,
  start: async () => {
    const listener = await listenHttps(selfSignedCertificate(certifiedName), (_, response) => response.end('ok'));
    return { listener, url: `https://127.0.0.1:${listener.port}/` };
  },
});

function writeEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', pour);
  };
  pour();
}

const redirect = (status: number): HostileServer =>
  overHttp(`a redirect (${status}) to an address inside`, status, (canaryPort) => (_, response) => {
    response.writeHead(status, { location: `http://127.0.0.2:${canaryPort}/` }).end();
  });

/** Raw responses with their names and the expected outcomes. */
const RESPONSES = JSON.parse(readFileSync(new URL('vectors/hostile-responses.json', import.meta.url), 'utf8')) as [
  name: string,
  outcome: number | string,
  text: string,
][];

const MILLION_ZEROES = gzipSync(Buffer.alloc(50_000_000));

export const HOSTILE_SERVERS: readonly HostileServer[] = [
  ...[301, 302, 303, 307, 308].map(redirect),
  overHttp('an endless body', 200, () => (_, response) => writeEndlessly(response.writeHead(200))),
  overHttp(
    'a body with a Content-Length of a gigabyte',
    200,
    () => (_, response) => writeEndlessly(response.writeHead(200, { 'content-length': 1_000_000_000 })),
  ),
  overHttp('a decompression bomb', 200, () => (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(MILLION_ZEROES);
  }),
  overHttp('a nested decompression bomb', 200, () => (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip, gzip, br' }).end(gzipSync(MILLION_ZEROES));
  }),
  overHttp('bytes that are not text', 200, () => (_, response) => response.writeHead(200).end(randomBytes(40_000))),
  overHttp('NUL and control characters', 200, () => (_, response) => response.writeHead(200).end('a\0b\u0007\u001b[2J')),
  overHttp(
    'a page with a script',
    200,
    () => (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
  ),
  overHttp('a body that is sent byte by byte', /timeout/, () => (_, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 50);
    response.once('close', () => clearInterval(drops));
  }),
  overHttp('no response', /timeout/, () => () => undefined),
  overHttp('only interim responses', /protocol/, () => (_, response) => {
    const interim = setInterval(() => response.writeProcessing(), 20);
    response.once('close', () => clearInterval(interim));
  }),
  overTcp('a header that is sent byte by byte', /timeout/, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ');
    const drops = setInterval(() => socket.write('y'), 50);
    socket.once('close', () => clearInterval(drops));
  }),
  overTcp('endless headers', /protocol|reset/, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const pour = setInterval(() => socket.write(`x-${randomBytes(8).toString('hex')}: ${'y'.repeat(4_000)}\r\n`), 2);
    socket.once('close', () => clearInterval(pour));
  }),
  overTcp('a reset', /reset/, (socket) => socket.once('data', () => socket.resetAndDestroy())),
  ...RESPONSES.map(([name, outcome, text]) =>
    withResponse(name, typeof outcome === 'number' ? outcome : new RegExp(outcome), text),
  ),
  overTls('a certificate for another name', 'other.test'),
  overTls('a self-signed certificate', 'localhost'),
];
