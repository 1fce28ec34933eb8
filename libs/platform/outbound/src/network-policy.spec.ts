import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { HOSTILE_URLS } from '../../../../test/support/hostile-urls.js';
import { NetworkPolicy } from './network-policy.js';

const publicOnly = new NetworkPolicy([]);

describe('default NetworkPolicy', () => {
  const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.215.14', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0'];
  const PUBLIC_IPV6 = ['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:200::1', '3ffe::1'];
  it.each([...PUBLIC, ...PUBLIC_IPV6])('allows the public address %s', (ip) => {
    expect(publicOnly.checkAddress(ip)).toBe('allowed');
    expect(publicOnly.isInAllowedNetwork(ip)).toBe(false);
  });

  const hostile = HOSTILE_URLS.filter(({ url, resolvesTo }) => !resolvesTo && /^https:\/\/[^@\\?#]+:PORT\/hook$/.test(url));
  it.each(hostile.map(({ url, why }) => [new URL(url.replace('PORT', '1')).hostname.replace(/^\[(.*)\]$/, '$1'), why]))(
    'denies %s (%s)',
    (ip) => {
      expect(publicOnly.checkAddress(ip)).toEqual({ denied: expect.any(String) });
    },
  );

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '0177.0.0.1', '1.2.3.4/8', '[::1]', ' 1.1.1.1', '1.1.1.1\n'])(
    'denies %j, which is not a plain IP address',
    (text) => {
      expect(publicOnly.checkAddress(text)).toEqual({ denied: 'not an IP address' });
    },
  );

  it.each([
    ['168.63.129.16', 'cloud metadata'],
    ['169.254.169.254', 'cloud metadata'],
    ['fd00:ec2::254', 'cloud metadata'],
    ['169.254.1.1', 'link local'],
    ['100.64.0.1', 'carrier grade nat'],
    ['10.0.0.1', 'private'],
    ['4000::1', 'reserved'],
    ['1fff::1', 'reserved'],
  ])('denies %s as %s', (ip, denied) => expect(publicOnly.checkAddress(ip)).toEqual({ denied }));

  it('denies every IPv6 address outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const first = Number.parseInt(ip.startsWith('::') ? '0' : (ip.split(':')[0] ?? '0'), 16);
        fc.pre(first < 0x2000 || first > 0x3fff);
        return publicOnly.checkAddress(ip) !== 'allowed';
      }),
    );
  });
});

describe('NetworkPolicy', () => {
  const policy = new NetworkPolicy(['127.0.0.0/8', '::1/128', '10.1.0.0/16', 'fd12::/16', '::ffff:192.168.7.0/120']);

  it.each(['127.0.0.1', '::1', '10.1.255.255', 'fd12::5', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.1.2.3', '192.168.7.9'])(
    'allows %s in an allowed network',
    (ip) => {
      expect(policy.checkAddress(ip)).toBe('allowed');
      expect(policy.isInAllowedNetwork(ip)).toBe(true);
    },
  );

  it.each(['10.2.0.1', '::ffff:10.2.0.1', 'fd13::1', '192.168.8.1', '169.254.169.254', '::127.0.0.1', '64:ff9b::7f00:1'])(
    'denies %s outside the allowed networks',
    (ip) => {
      expect(policy.checkAddress(ip)).toEqual({ denied: expect.any(String) });
      expect(policy.isInAllowedNetwork(ip)).toBe(false);
    },
  );

  it.each([
    ['10.1.2.3/32', '10.1.2.3', '10.1.2.4'],
    ['fd12::1/128', 'fd12::1', 'fd12::2'],
    ['0.0.0.0/0', '10.0.0.1', 'fd12::1'],
    ['::ffff:0:0/96', '10.0.0.1', 'fd12::1'],
    ['::ffff:10.0.0.0/104', '10.255.0.1', '11.0.0.1'],
  ])('matches the network %s with %s but not with %s', (cidr, inside, outside) => {
    const policy = new NetworkPolicy([cidr]);
    expect([inside, outside].map((ip) => policy.isInAllowedNetwork(ip))).toEqual([true, false]);
  });

  it('allows a cloud metadata address in an allowed network', () => {
    expect(new NetworkPolicy(['169.254.169.254/32']).checkAddress('169.254.169.254')).toBe('allowed');
    expect(policy.isInAllowedNetwork('no address')).toBe(false);
  });

  it('denies an IPv4-mapped address in an allowed IPv6 network', () => {
    expect(new NetworkPolicy(['::/0']).checkAddress('::ffff:10.0.0.1')).not.toBe('allowed');
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '::/129',
    'none',
    '',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10/8',
    '::ffff:0:0/90',
    '1.1.1.1/-1',
    '1.1.1.1/8x',
    '1.1.1.1/x8',
    '1.1.1.1/0008',
    '1.1.1.1/ 8',
    '/8',
  ])('rejects %j as a network', (cidr) => {
    expect(() => new NetworkPolicy([cidr])).toThrow(RangeError);
  });

  it('explains why a network is invalid', () => {
    expect(() => new NetworkPolicy(['ten'])).toThrow(
      '"ten" is not a network in CIDR notation. Use a network such as 10.0.0.0/8 or fd00::/8.',
    );
  });

  it('allows exactly the addresses with the prefix of an allowed network', () => {
    const bits = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.nat(32), (network, ip, length) => {
        const policy = new NetworkPolicy([`${network}/${length}`]);
        const size = 2 ** (32 - length);
        const isInside = Math.floor(bits(network) / size) === Math.floor(bits(ip) / size);
        expect([policy.isInAllowedNetwork(ip), policy.isInAllowedNetwork(`::ffff:${ip}`)]).toEqual([isInside, isInside]);
      }),
      { numRuns: 2_000 },
    );
  });
});
