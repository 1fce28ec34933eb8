import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { generateApiKey, parseApiKey } from './api-key.js';

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

describe('API key', () => {
  it('contains the service name, 256 random bits and a checksum', () => {
    const { key, prefix, last4 } = generateApiKey('acme-id');

    expect(key).toMatch(/^acme-id_sk_[0-9A-Za-z]{49}$/);
    expect(prefix).toBe(key.slice(0, 'acme-id_sk_'.length + 6));
    expect(last4).toBe(key.slice(-4));
  });

  it('is unique and valid', () => {
    const serviceName = fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/);
    const previousKeys = new Set<string>();
    fc.assert(
      fc.property(serviceName, (serviceName) => {
        const { key, ...parts } = generateApiKey(serviceName);
        expect(parseApiKey(key)).toEqual({ ...parts, serviceName });
        expect(previousKeys.has(key)).toBe(false);
        previousKeys.add(key);
      }),
    );
  });

  it('is invalid with one wrong character', () => {
    const { key } = generateApiKey('service');
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...BASE62), (position, character) => {
        fc.pre(key[position] !== character);
        expect(parseApiKey(key.slice(0, position) + character + key.slice(position + 1))).toBeUndefined();
      }),
    );
  });

  it('has a CRC32 checksum', () => {
    // The expected value is from Python's zlib.crc32. The format is public, so that secret scanners can recognize keys.
    expect(parseApiKey(`service_sk_${'0'.repeat(43)}0ZZZii`)?.last4).toBe('ZZii');
  });

  it.each(['a', 'a1', 'a-1', 'abc-', 'x'.repeat(75)])('can contain the service name %s', (serviceName) => {
    expect(parseApiKey(generateApiKey(serviceName).key)?.serviceName).toBe(serviceName);
  });

  it.each(['', '1a', '-a', 'A', 'aB', 'a b', 'a_b', 'é', 'x'.repeat(76)])(
    'is invalid with the service name %j',
    (serviceName) => {
      expect(parseApiKey(generateApiKey(serviceName).key)).toBeUndefined();
    },
  );

  it('is invalid with an additional, missing or replaced character', () => {
    const { key } = generateApiKey('service');
    for (const text of [`${key}\n`, `${key}0`, ` ${key}`, key.slice(0, -1), key.replace('_sk_', '_pk_')])
      expect(parseApiKey(text)).toBeUndefined();
  });

  it.each([
    '',
    'service_sk_',
    'x'.repeat(10_000),
    `Service_sk_${'0'.repeat(49)}`,
    `service_sk_${'0'.repeat(49)}`,
    'ses_01h2xcejqtf2nbrexx3vqjhp41',
  ])("can't have the form %.40s", (text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });
});
