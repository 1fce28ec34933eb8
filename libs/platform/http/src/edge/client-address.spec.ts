import { describe, expect, it } from '@jest/globals';
import express, { type Request } from 'express';
import { addressGroup } from './address-group.js';
import { clientAddress } from './client-address.js';

const PROXY = '10.0.0.1';
const app = express().set('trust proxy', ['10.0.0.0/8', 'fd00::/8']);

const addressOf = (header: string | undefined, remoteAddress = PROXY) =>
  clientAddress({ app, socket: { remoteAddress }, headers: { 'x-forwarded-for': header } } as unknown as Request);

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['\t 203.0.113.7 ,, ', '203.0.113.7'],
    ['198.51.100.9, 203.0.113.7:1, 10.0.0.2:2, [fd00::2]:3', '203.0.113.7'],
    ['unknown, 203.0.113.7', '203.0.113.7'],
    ['10.0.0.3', '10.0.0.3'],
    [undefined, PROXY],
  ])('reads %j as %s', (header, ipAddress) => {
    expect(addressOf(header)).toEqual({ ipAddress });
  });

  it.each([
    'unknown',
    '_hidden',
    '203.0.113.7:',
    '203.0.113.7:70000',
    '203.0.113.7:80:80',
    '203.0.113',
    '0313.0.0.7',
    '[203.0.113.7]:80',
    '[2001:db8::1',
    '2001:db8::1]:80',
    '"203.0.113.7',
    'for=203.0.113.7',
    '203.0.113.7 10.0.0.1',
    `${' '.repeat(8_000)}${'['.repeat(8_000)}`,
  ])('reads the invalid entry %j as the address of the nearest proxy', (entry) => {
    expect(addressOf(`203.0.113.7, ${entry}, 10.0.0.2:80`)).toEqual({ ipAddress: '10.0.0.2', isProxyAddress: true });
  });

  it('ignores the header of a client that is not a proxy', () => {
    expect(addressOf('198.51.100.9', '::ffff:203.0.113.7')).toEqual({ ipAddress: '203.0.113.7' });
    expect(addressOf('198.51.100.9', 'not an address')).toEqual({});
  });
});

describe('addressGroup', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nonsense', 'unknown'],
    [undefined, 'unknown'],
  ])('converts %s to %s', (address, group) => {
    expect(addressGroup({ ipAddress: address! })).toBe(group);
  });

  it.each([
    [{ kind: 'key', organizationIds: ['org_1'], permissions: [] }, '203.0.113.7 org_1'],
    [{ kind: 'platform', permissions: [] }, '203.0.113.7 platform'],
  ] as const)('keeps the addresses that %o forwards apart', (forwardedBy, group) => {
    expect(addressGroup({ ipAddress: '203.0.113.7', forwardedBy })).toBe(group);
  });
});
