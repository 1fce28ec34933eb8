import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A listening server that counts its connections. */
export type Listener = Awaited<ReturnType<typeof listen>>;

async function listen(server: Server, host: string) {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => connectionCount,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export const listenHttp = (listener: RequestListener, host = '127.0.0.1'): Promise<Listener> =>
  listen(createHttpServer(listener), host);

export const listenHttps = (certificate: Certificate, listener: RequestListener): Promise<Listener> =>
  listen(createHttpsServer(certificate, listener), '127.0.0.1');

/** Starts a TCP server on a loopback address. Tests send responses that an HTTP server can't send. */
export const listenTcp = (accept: (socket: Socket) => void = () => undefined, host = '127.0.0.1'): Promise<Listener> =>
  listen(createTcpServer(accept), host);

export interface Certificate {
  key: string;
  cert: string;
}

export function selfSignedCertificate(...hostnames: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const subject = [
      '-subj',
      `/CN=${hostnames[0]}`,
      '-addext',
      `subjectAltName=${hostnames.map((name) => `DNS:${name}`).join(',')}`,
    ];
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the body of a request. */
export { buffer as bodyOf } from 'node:stream/consumers';
