import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { destinationProblem, type HostLookup, NetworkPolicy } from '#platform/outbound';
import { HOSTILE_URLS, lookupOfHostileUrls } from '../../../../../test/support/hostile-urls.js';
import { type Listener, listenHttp, listenTcp } from '../../../../../test/support/local-receiver.js';
import { GuardedHttpClient, type GuardedHttpClientOptions } from './guarded-http-client.js';

const clients: GuardedHttpClient[] = [];
let canary: Listener;

function clientFor(allowedNetworks: string[], options: GuardedHttpClientOptions = {}): GuardedHttpClient {
  const client = new GuardedHttpClient(new NetworkPolicy(allowedNetworks), options);
  clients.push(client);
  return client;
}

const post = (client: GuardedHttpClient, url: string) => client.post(url, { headers: {}, body: '{}', timeoutMs: 2_000 });

/** Returns a lookup that resolves to the next of the addresses each time. */
function answeringInTurn(...addresses: string[]): HostLookup & { count: () => number } {
  let count = 0;
  const lookup: HostLookup = async () => {
    const address = addresses[count++] ?? '';
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
  return Object.assign(lookup, { count: () => count });
}

beforeAll(async () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
  canary = await listenTcp(
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary'),
    hasIpv6 ? '::' : '0.0.0.0',
  );
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(() => canary.close());

describe('GuardedHttpClient where only public addresses are allowed', () => {
  it.each(HOSTILE_URLS)('opens no socket for $url ($why)', async ({ url }) => {
    const before = canary.connectionCount();
    const outcome = await post(clientFor([], { lookup: lookupOfHostileUrls }), url.replace('PORT', String(canary.port)));

    expect(outcome).toMatchObject({ kind: 'error', errorKind: expect.stringMatching(/^(blocked|protocol)$/) });
    expect(canary.connectionCount()).toBe(before);
  });

  it('rejects localhost without a lookup', async () => {
    const before = canary.connectionCount();
    for (const host of ['localhost', 'localhost.', 'x.localhost']) {
      expect(await post(clientFor([]), `https://${host}:${canary.port}/`)).toMatchObject({ kind: 'error', errorKind: 'blocked' });
    }
    expect(canary.connectionCount()).toBe(before);
  });

  it('returns the same error whether or not a server listens', async () => {
    const closed = await listenTcp();
    await closed.close();
    const outcomes = [];
    for (const port of [canary.port, closed.port]) {
      for (const scheme of ['http', 'https']) outcomes.push(await post(clientFor([]), `${scheme}://127.0.0.1:${port}/`));
    }
    expect(new Set(outcomes.map((outcome) => JSON.stringify({ ...outcome, durationMs: 0 }))).size).toBe(1);
  });
});

describe('GuardedHttpClient with loopback allowed', () => {
  it('reaches the canary server, which proves that the server can be reached', async () => {
    const before = canary.connectionCount();
    expect(await post(clientFor(['127.0.0.0/8']), `http://127.0.0.1:${canary.port}/`)).toMatchObject({
      status: 200,
      body: 'canary',
    });
    expect(canary.connectionCount()).toBe(before + 1);
  });

  it('rejects http to a public address before connecting', async () => {
    const client = clientFor(['127.0.0.0/8'], { lookup: answeringInTurn('93.184.215.14') });
    for (const host of ['93.184.215.14', 'public.test']) {
      expect(await post(client, `http://${host}/`)).toMatchObject({
        errorKind: 'blocked',
        message: expect.stringContaining('https'),
      });
    }
  });
});

describe('request that is rejected before connecting', () => {
  const credentials = "The destination's URL must not contain a user name or password.";

  it.each([
    ['PORT', 'protocol', "The destination's URL is not valid."],
    ['ftp://127.0.0.1:PORT/', 'blocked', 'Deliveries require an https URL.'],
    ['http://user@127.0.0.1:PORT/', 'blocked', credentials],
    ['http://:password@127.0.0.1:PORT/', 'blocked', credentials],
  ])('returns an error for the URL %s', async (url, errorKind, message) => {
    const before = canary.connectionCount();
    expect(await post(clientFor(['127.0.0.0/8']), url.replace('PORT', String(canary.port)))).toMatchObject({
      errorKind,
      message,
    });
    expect(canary.connectionCount()).toBe(before);
  });

  it('returns an error for a header that frames the request', async () => {
    const request = { headers: { Host: 'x' }, body: '{}', timeoutMs: 2_000 };
    expect(await clientFor(['127.0.0.0/8']).post(`http://127.0.0.1:${canary.port}/`, request)).toMatchObject({
      errorKind: 'protocol',
      message: 'The header "Host" is set by the HTTP client and can\'t be overridden.',
    });
  });
});

describe('host name with changing addresses', () => {
  it('is rejected at delivery if its address was public at creation and is private at delivery', async () => {
    const lookup = answeringInTurn('93.184.215.14', '127.0.0.1');
    const url = `https://rebind.test:${canary.port}/`;
    const before = canary.connectionCount();

    expect(await destinationProblem(url, new NetworkPolicy([]), { lookup })).toBeUndefined();
    expect(await post(clientFor([], { lookup }), url)).toMatchObject({ kind: 'error', errorKind: 'blocked' });
    expect(canary.connectionCount()).toBe(before);
  });

  it('is resolved once per connection, which uses the checked address', async () => {
    const receiver = await listenHttp((_, response) => response.setHeader('connection', 'close').end('ok'));
    const lookup = answeringInTurn('127.0.0.1', '10.0.0.1', '127.0.0.1', '127.0.0.2');
    const client = clientFor(['127.0.0.1/32'], { lookup });
    const url = `http://rebind.test:${receiver.port}/`;

    expect(await post(client, url)).toMatchObject({ status: 200 });
    expect(await post(client, url)).toMatchObject({ errorKind: 'blocked' });
    expect(await post(client, url)).toMatchObject({ status: 200 });
    expect(await post(client, url)).toMatchObject({ errorKind: 'blocked' });
    expect(lookup.count()).toBe(4);
    expect(receiver.connectionCount()).toBe(2);
    await receiver.close();
  });
});
