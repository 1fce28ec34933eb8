import { type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import * as local from '../../../../test/support/local-receiver.js';
import { createGuardedConnector, type GuardedConnectorOptions } from './guarded-connector.js';
import type { HostLookup } from './host-lookup.js';
import { type AddressCheck, NetworkPolicy } from './network-policy.js';

const loopback = new NetworkPolicy(['127.0.0.0/8']);
const opened: (() => unknown)[] = [];

/** Allows all addresses, so that loopback addresses count as public addresses. */
class AllowAllPolicy extends NetworkPolicy {
  override checkAddress(): AddressCheck {
    return 'allowed';
  }
}

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

const resolvingTo =
  (...addresses: string[]): HostLookup =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }));

/** Opens a connection. Returns the socket or the error. */
function connect(
  url: string,
  options: Partial<GuardedConnectorOptions> = {},
): Promise<{ error: unknown; socket: Socket | null }> {
  const { protocol, host, hostname, port } = new URL(url);
  const connector = createGuardedConnector({
    policy: loopback,
    lookup: resolvingTo('127.0.0.1'),
    connectTimeoutMs: 2_000,
    ...options,
  });
  return new Promise((resolve) => {
    connector({ protocol, host, hostname, port }, (error, socket) => {
      if (socket) opened.push(() => socket.destroy());
      resolve({ error, socket });
    });
  });
}

async function listening(): Promise<local.Listener> {
  const receiver = await local.listenTcp();
  opened.push(receiver.close);
  return receiver;
}

describe('guarded connection', () => {
  it('connects to the address that the name resolves to', async () => {
    const { port } = await listening();
    const { error, socket } = await connect(`http://receiver.test:${port}`);
    expect(error).toBeNull();
    expect(socket?.remotePort).toBe(port);
    expect((await connect(`http://127.0.0.1:${port}`)).socket?.remoteAddress).toBe('127.0.0.1');
  });

  it('rejects every scheme except http and https', async () => {
    const { port, connectionCount } = await listening();
    for (const host of ['127.0.0.1', 'receiver.test'])
      expect((await connect(`ftp://${host}:${port}`)).error).toMatchObject({
        errorKind: 'blocked',
        message: 'Connections require https.',
      });
    expect(connectionCount()).toBe(0);
  });

  it('requires https for a public address', async () => {
    const certificate = local.selfSignedCertificate('receiver.test');
    const receiver = await local.listenHttps(certificate, (_, response) => response.end());
    opened.push(receiver.close);
    const options = { policy: new AllowAllPolicy([]), tlsCa: certificate.cert };
    expect((await connect(`http://receiver.test:${receiver.port}`, options)).error).toMatchObject({
      errorKind: 'blocked',
      message: 'The destination requires https. Change the URL to https.',
    });
    expect(receiver.connectionCount()).toBe(0);
    expect((await connect(`https://receiver.test:${receiver.port}`, options)).error).toBeNull();
  });

  it('omits the denied address from the error', async () => {
    const { error } = await connect('https://receiver.test', { lookup: resolvingTo('10.0.0.1') });
    expect(error).toMatchObject({
      errorKind: 'blocked',
      message:
        'The destination has an address that the service is not allowed to connect to: private, loopback, link-local, reserved or similar.',
    });
  });

  it('uses HTTP/1.1, even if the server offers HTTP/2', async () => {
    const certificate = local.selfSignedCertificate('receiver.test');
    const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] });
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    opened.push(() => server.close());
    const { error, socket } = await connect(`https://receiver.test:${port}`, { tlsCa: certificate.cert });
    expect(error).toBeNull();
    expect((socket as TLSSocket).alpnProtocol).toBe('http/1.1');
  });
});

describe('connection to a host name', () => {
  const unusedAddresses = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`);

  it('tries the next address if nothing listens at the first address', async () => {
    const { port } = await listening();
    const { socket } = await connect(`http://receiver.test:${port}`, {
      lookup: resolvingTo(...unusedAddresses.slice(1), '127.0.0.1'),
    });
    expect(socket?.remoteAddress).toBe('127.0.0.1');
  });

  it('tries at most eight addresses', async () => {
    const { port, connectionCount } = await listening();
    const { error } = await connect(`http://receiver.test:${port}`, { lookup: resolvingTo(...unusedAddresses, '127.0.0.1') });
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(connectionCount()).toBe(0);
  });

  it('is denied if any address is denied', async () => {
    const { port, connectionCount } = await listening();
    for (const addresses of [
      ['127.0.0.1', '10.0.0.1'],
      ['127.0.0.1', ...unusedAddresses, '10.0.0.1'],
    ])
      expect((await connect(`http://receiver.test:${port}`, { lookup: resolvingTo(...addresses) })).error).toMatchObject({
        errorKind: 'blocked',
      });
    expect(connectionCount()).toBe(0);
  });

  it.each<[string, HostLookup]>([
    ['has no address', async () => []],
    ['can’t be looked up', () => Promise.reject(new Error('no server'))],
  ])('fails if the name %s', async (_, lookup) => {
    expect((await connect('https://receiver.test', { lookup })).error).toMatchObject({
      errorKind: 'dns',
      message: 'The host name of the destination could not be resolved.',
    });
  });
});
