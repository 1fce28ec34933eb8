import { describe, expect, it } from '@jest/globals';
import { isInNetworks, isWithinNetworks, normalizedNetwork } from './networks.js';

describe('network list', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.0.0.0/33', null],
    ['2001:db8::/129', null],
    ['10.0.0.0/', null],
    ['10.0.0.0/8/8', null],
    ['10.0.0.0/-1', null],
    ['10.0.0', null],
    ['example.com', null],
    ['', null],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:0:0/95', null],
    ['fe80::1%eth0/64', null],
    ['fe80::1%eth0', null],
  ])('normalizes the entry %j to %j', (text, normalized) => {
    expect(normalizedNetwork(text)).toBe(normalized);
  });

  it.each([
    ['10.1.2.3', true],
    ['11.1.2.3', false],
    ['::ffff:10.1.2.3', true],
    ['2001:db8::5', true],
    ['2001:db9::5', false],
    ['not an address', false],
    [undefined, false],
    ['fd00::5%eth0', true],
  ])('contains the address %j: %s', (ipAddress, expected) => {
    expect(isInNetworks({ ipAddress }, ['::ffff:10.0.0.0/104', '2001:db8::/32', 'fd00::/8'])).toBe(expected);
  });

  it.each([
    ['10.1.0.0/16', true],
    ['10.0.0.0/8', true],
    ['10.0.0.0/7', false],
    ['0.0.0.0/0', false],
    ['11.0.0.0/16', false],
    ['2001:db8:1::/48', true],
    ['2001:db8::/31', false],
    ['::ffff:10.1.0.0/112', true],
    ['fe80::1%eth0/64', false],
  ])('contains the complete network %s: %s', (network, expected) => {
    expect(isWithinNetworks(network, ['10.0.0.0/8', '2001:db8::/32'])).toBe(expected);
  });
});
