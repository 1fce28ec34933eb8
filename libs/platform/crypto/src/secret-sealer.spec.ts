import { createDecipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SecretSealer, SecretUnreadable } from './secret-sealer.js';

const [previousKey, currentKey] = [randomBytes(32), randomBytes(32)];
const sealer = new SecretSealer([currentKey]);
const context = 'webhooks|secret|wh_01';

describe('SecretSealer', () => {
  it('decrypts an encrypted text', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        text,
        fc.string({ minLength: 1 }),
        (secret, context) => sealer.open(sealer.seal(secret, context), context) === secret,
      ),
    );
  });

  it('encrypts with AES-256-GCM in the documented format', () => {
    const [version, , iv, ciphertext, tag, ...rest] = sealer.seal('whsec_1', context).split('.');

    const decipher = createDecipheriv('aes-256-gcm', currentKey, Buffer.from(iv ?? '', 'base64url'));
    decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag ?? '', 'base64url'));
    expect(decipher.update(ciphertext ?? '', 'base64url', 'utf8') + decipher.final('utf8')).toBe('whsec_1');
    expect([version, rest]).toEqual(['v1', []]);
  });

  it('encrypts equal texts differently', () => {
    expect(new Set(Array.from({ length: 100 }, () => sealer.seal('same', context))).size).toBe(100);
  });

  it('rejects an encrypted text with one changed character', () => {
    const sealed = sealer.seal('a secret of some length', context);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'abcdefABCDEF0189-_.v'), (position, character) => {
        fc.pre(sealed[position] !== character);
        const changed = sealed.slice(0, position) + character + sealed.slice(position + 1);
        expect(() => sealer.open(changed, context)).toThrow(SecretUnreadable);
      }),
      { numRuns: 500 },
    );
  });

  it('rejects a text of another context', () => {
    const sealed = sealer.seal('secret', context);

    expect(() => sealer.open(sealed, 'webhooks|secret|wh_02')).toThrow('it was modified, or it belongs to another row or column');
    expect(() => sealer.seal('secret', '')).toThrow('for a context');
  });

  it('encrypts with the first key and decrypts with all keys', () => {
    const before = new SecretSealer([previousKey]).seal('secret', context);
    const rotating = new SecretSealer([currentKey, previousKey]);
    const after = rotating.seal(rotating.open(before, context), context);

    expect([before, after].map((sealed) => sealed.split('.')[1])).toEqual([rotating.previousKeyIds[0], rotating.sealingKeyId]);
    expect(sealer.open(after, context)).toBe('secret');
    expect(() => sealer.open(before, context)).toThrow(/its key [0-9a-f]{8} is not in SECRETS_KEY; add that key/);
  });

  it('rejects a non-canonical encoding of an encrypted text', () => {
    const sealed = sealer.seal('secret', context);
    expect(() => sealer.open(`${sealed}\n`, context)).toThrow('does not have the form');
    expect(() => sealer.open(`x${sealed}`, context)).toThrow('does not have the form');
    // The last character contains four more bits than the 16 bytes need.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const nonCanonical = alphabet[alphabet.indexOf(sealed.at(-1)!) + 1]!;
    expect(() => sealer.open(sealed.slice(0, -1) + nonCanonical, context)).toThrow('its base64url is not canonical');
  });

  it('names the reason in the error', () => {
    const sealed = sealer.seal('whsec_1', context);
    expect(() => sealer.open(sealed, 'other')).toThrow(
      expect.objectContaining({
        name: 'SecretUnreadable',
        message: expect.stringMatching(/^A stored secret can't be decrypted: /),
      }),
    );
    expect(() => sealer.open(sealed, '')).toThrow('for a context, such as "webhooks|secret|<id>"');
  });

  it.each(['', 'secret', 'v1.00000000..', 'v2.00000000.AAAAAAAAAAAAAAAA..AAAAAAAAAAAAAAAAAAAAAA'])(
    'rejects the malformed encrypted text "%s"',
    (text) => {
      expect(() => sealer.open(text, context)).toThrow('does not have the form');
    },
  );

  it.each([
    ['an empty list of keys', [], 'At least one encryption key'],
    ['a short key', [randomBytes(16)], 'must have 32 bytes'],
    ['a long key after a valid key', [currentKey, randomBytes(33)], 'must have 32 bytes'],
    ['a duplicate key', [currentKey, currentKey], 'must be distinct'],
  ])('rejects %s', (_, keys, message) => {
    expect(() => new SecretSealer(keys)).toThrow(message);
  });
});
