import dns from 'node:dns';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { startDnsServer } from '../../../../test/support/dns-server.js';
import { createHostLookup, plainHostname } from './host-lookup.js';

const opened: (() => Promise<void>)[] = [];
const closeServers = () => Promise.all(opened.splice(0).map((close) => close()));
afterEach(async () => {
  jest.restoreAllMocks();
  await closeServers();
});

async function dnsServer(...answer: Parameters<typeof startDnsServer>) {
  const { address, queryCount, close } = await startDnsServer(...answer);
  opened.push(close);
  return { servers: [address], queryCount };
}
const onlyIpv4 =
  (address: string) =>
  (type: string): string[] =>
    type === 'A' ? [address] : [];

describe('host lookup', () => {
  it('returns IPv4 and IPv6 addresses', async () => {
    const { servers } = await dnsServer((type) => [type === 'A' ? '93.184.215.14' : '2606:4700::1']);
    expect(await createHostLookup({ servers })('receiver.test.')).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  it('returns only IPv4 addresses if the name has no IPv6 address', async () => {
    const { servers } = await dnsServer(onlyIpv4('10.0.0.1'));
    expect(await createHostLookup({ servers })('receiver.test')).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  it('rejects the name if the DNS servers fail', async () => {
    const { servers } = await dnsServer(() => 'servfail');
    await expect(createHostLookup({ servers })('receiver.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  // The lookup of the operating system parses IP addresses without a DNS query.
  it.each([
    ['the name does not exist', 'nxdomain'],
    ['the name has no address', []],
  ] as const)('uses the operating system if %s in DNS', async (_, answer) => {
    const { servers, queryCount } = await dnsServer(() => answer);
    expect(await createHostLookup({ servers })('127.0.0.7')).toEqual([{ address: '127.0.0.7', family: 4 }]);
    expect(queryCount()).toBe(2);
  });

  it('uses the operating system if no DNS server is reachable', async () => {
    const { servers } = await dnsServer();
    await closeServers();
    expect(await createHostLookup({ servers })('127.0.0.7')).toEqual([{ address: '127.0.0.7', family: 4 }]);
  });

  it('does not use the operating system if one query fails', async () => {
    const { servers } = await dnsServer((type) => (type === 'A' ? 'nxdomain' : 'servfail'));
    await expect(createHostLookup({ servers })('127.0.0.7')).rejects.toThrow();
  });

  it('finishes the queued lookups after an error', async () => {
    const { servers } = await dnsServer();
    const lookup = createHostLookup({ servers });
    const names = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? 'nobody.invalid' : `127.0.0.${index}`));
    const answers = await Promise.allSettled(names.map(lookup));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]!.address : 'nobody.invalid'))).toEqual(names);
    expect(await lookup('127.0.0.1')).toHaveLength(1);
  });

  it('runs at most two operating system lookups concurrently', async () => {
    const { servers } = await dnsServer();
    const state = { running: 0, max: 0, options: {} };
    const answerLate = (_: string, options: object, answer: (error: null, addresses: dns.LookupAddress[]) => void) => {
      state.options = options;
      state.max = Math.max(state.max, ++state.running);
      setTimeout(() => {
        state.running--;
        answer(null, [{ address: '::2', family: 6 }]);
      }, 100);
    };
    jest.spyOn(dns, 'lookup').mockImplementation(answerLate as never);
    const lookup = createHostLookup({ servers });
    const answers = await Promise.all(['a.test', 'b.test', 'c.test', 'd.test', 'e.test'].map((name) => lookup(name)));
    expect(answers).toEqual(Array.from({ length: 5 }, () => [{ address: '::2', family: 6 }]));
    expect(state).toEqual({ running: 0, max: 2, options: { all: true, verbatim: true } });
  });

  it('resolves a name while a different DNS server does not respond', async () => {
    const silentServer = await dnsServer(() => 'silent');
    const respondingServer = await dnsServer(onlyIpv4('10.0.0.1'));
    const lookUpOnSilentServer = createHostLookup({ servers: silentServer.servers, queryTimeoutMs: 300 });
    const startedAt = performance.now();
    const silentLookups = Promise.allSettled(Array.from({ length: 50 }, (_, index) => lookUpOnSilentServer(`dead${index}.test`)));
    let isWaiting = true;
    void silentLookups.then(() => (isWaiting = false));

    expect(await createHostLookup({ servers: respondingServer.servers })('responding.test')).toHaveLength(1);
    expect(isWaiting).toBe(true);
    expect((await silentLookups).every(({ status }) => status === 'rejected')).toBe(true);
    // A lookup takes 900 ms: two queries, the second with twice the timeout. Sequential lookups would take 45 s.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it.each(['notlocalhost', 'localhost.test'])('resolves %s with a DNS query', async (name) => {
    const { servers } = await dnsServer(onlyIpv4('93.184.215.14'));
    expect(await createHostLookup({ servers })(name)).toEqual([{ address: '93.184.215.14', family: 4 }]);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('resolves %s without a DNS query', async (name) => {
    const { servers, queryCount } = await dnsServer(onlyIpv4('93.184.215.14'));
    expect((await createHostLookup({ servers })(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    expect(queryCount()).toBe(0);
    expect(await createHostLookup()(name)).toHaveLength(2);
  });
});

describe('plainHostname', () => {
  it.each([
    ['[::1]', '::1'],
    ['example.com.', 'example.com'],
    ['example.com', 'example.com'],
    ['a..', 'a.'],
    ['[::1', '[::1'],
    ['::1]', '::1]'],
    ['x[::1]', 'x[::1]'],
    ['[::1]x', '[::1]x'],
    ['a.b', 'a.b'],
  ])('converts %s to %s', (hostname, plain) => {
    expect(plainHostname(hostname)).toBe(plain);
  });
});
