import { randomBytes } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Listener, listenHttp, listenHttps, listenTcp, selfSignedCertificate } from './local-receiver.js';

/** A malicious receiver, and how its delivery must end: with this status, or with an error of this kind. */
export interface HostileServer {
  readonly name: string;
  readonly ends: number | RegExp;
  /** Text that must not be stored with the response. */
  readonly mustNotKeep?: RegExp;
  start(canaryPort: number): Promise<{ listener: Listener; url: string }>;
}

const overTcp = (name: string, ends: number | RegExp, accept: (socket: Socket) => void): HostileServer => ({
  name,
  ends,
  start: async () => {
    const listener = await listenTcp(accept);
    return { listener, url: `http://127.0.0.1:${listener.port}/` };
  },
});

/** Sends these bytes once the request begins to arrive. */
const answering = (name: string, ends: number | RegExp, text: string): HostileServer =>
  overTcp(name, ends, (socket) => socket.once('data', () => socket.end(text)));

const overHttp = (name: string, ends: number | RegExp, answer: (canaryPort: number) => RequestListener): HostileServer => ({
  name,
  ends,
  start: async (canaryPort) => {
    const listener = await listenHttp(answer(canaryPort));
    return { listener, url: `http://127.0.0.1:${listener.port}/` };
  },
});

const overTls = (name: string, certifiedName: string): HostileServer => ({
  name,
  ends: /tls/,
  start: async () => {
    const listener = await listenHttps(selfSignedCertificate(certifiedName), (_, response) => response.end('ok'));
    return { listener, url: `https://127.0.0.1:${listener.port}/` };
  },
});

function pourOut(response: ServerResponse): void {
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

const MILLION_ZEROES = gzipSync(Buffer.alloc(50_000_000));

/** At least twenty ways in which a receiver can respond badly. */
export const HOSTILE_SERVERS: readonly HostileServer[] = [
  ...[301, 302, 303, 307, 308].map(redirect),
  overHttp('an endless body', 200, () => (_, response) => pourOut(response.writeHead(200))),
  overHttp(
    'a body of a gigabyte, announced',
    200,
    () => (_, response) => pourOut(response.writeHead(200, { 'content-length': 1_000_000_000 })),
  ),
  overHttp('a compressed bomb', 200, () => (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(MILLION_ZEROES);
  }),
  overHttp('a bomb inside a bomb', 200, () => (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip, gzip, br' }).end(gzipSync(MILLION_ZEROES));
  }),
  overHttp('bytes that are no text', 200, () => (_, response) => response.writeHead(200).end(randomBytes(40_000))),
  overHttp('NUL and control characters', 200, () => (_, response) => response.writeHead(200).end('a\0b\u0007\u001b[2J')),
  overHttp(
    'a page with a script',
    200,
    () => (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
  ),
  overHttp('a body in drops', /timeout/, () => (_, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 50);
    response.once('close', () => clearInterval(drops));
  }),
  overHttp('no answer', /timeout/, () => () => undefined),
  overHttp('nothing but interim answers', /timeout/, () => (_, response) => {
    const interim = setInterval(() => response.writeProcessing(), 20);
    response.once('close', () => clearInterval(interim));
  }),
  overTcp('a line of headers in drops', /timeout/, (socket) => {
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
  answering('another protocol', /protocol/, 'SSH-2.0-OpenSSH_9.6\r\n'),
  answering(
    'a switch of protocols',
    /reset|protocol/,
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  ),
  answering('a body that is cut', /reset/, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  answering('two lengths', /protocol/, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nab'),
  answering(
    'length and chunks',
    /protocol/,
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
  ),
  answering(
    'a chunk of absurd size',
    /protocol|reset/,
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx',
  ),
  answering('a header over two lines', /protocol/, 'HTTP/1.1 200 OK\r\nx: a\r\n b: c\r\n\r\n'),
  answering(
    'a second answer in the first',
    200,
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 Smuggled\r\ncontent-length: 0\r\n\r\n',
  ),
  answering('a status that is none', /protocol/, 'HTTP/1.1 999999 Odd\r\ncontent-length: 0\r\n\r\n'),
  answering('nothing at all', /reset/, ''),
  overTls('a certificate for another name', 'other.test'),
  overTls('a certificate that nobody vouches for', 'localhost'),
];
