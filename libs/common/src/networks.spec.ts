import { describe, expect, it } from '@jest/globals';
import { isInNetworks, normalizedNetwork } from './networks.js';

describe('networks', () => {
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
  ])('%j is %j', (text, normalized) => {
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
  ])('hold %j: %s', (address, holds) => {
    expect(isInNetworks(address, ['10.0.0.0/8', '2001:db8::/32'])).toBe(holds);
  });
});
