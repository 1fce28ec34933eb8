import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { PasswordPolicy } from '#directory/organizations';
import { CommonPasswords } from './common-passwords.js';
import { passwordViolations, policyRules } from './password-policy-check.js';

const OFF: PasswordPolicy = {
  minLength: 8,
  requireUppercase: false,
  requireNumbers: false,
  requireSymbols: false,
  preventReuse: 0,
};
const common = new CommonPasswords();
const NAMES = ['ada.lovelace@engines.example', 'Ada', 'Lovelace', 'Countess', 'Acme Müller GmbH', 'acme-mueller'];

const codesFor = (password: string, policy: Partial<PasswordPolicy> = {}, names: readonly string[] = []): string[] =>
  passwordViolations(password, { ...OFF, ...policy }, { names, isCommon: (candidate) => common.has(candidate) }).map(
    ({ code }) => code,
  );

describe('passwordViolations', () => {
  it.each([
    ['fourteen chars', { minLength: 15 }, ['too_short']],
    ['fifteen chars!!', { minLength: 15 }, []],
    // Lengths count characters instead of UTF-16 units: the first password has 8, the second has 7.
    ['🐢🦊🐙🦉🐳🦔🐝🦋', {}, []],
    ['🐢🦊🐙🦉🐳🦔🐝', {}, ['too_short']],
    // This password has eight code points before NFKC, and four after NFKC.
    ['a\u0308o\u0308u\u0308e\u0308', {}, ['too_short']],
    ['lantern orbit', { requireUppercase: true }, ['uppercase_missing']],
    ['lantern Orbit', { requireUppercase: true }, []],
    ['lantern Ωrbit', { requireUppercase: true }, []],
    ['lantern orbit', { requireNumbers: true }, ['number_missing']],
    ['lantern orbit 7', { requireNumbers: true }, []],
    ['lantern٣orbit', { requireNumbers: true }, []],
    ['lanternorbit', { requireSymbols: true }, ['symbol_missing']],
    ['lantern orbit', { requireSymbols: true }, []],
    ['lantern-orbit', { requireSymbols: true }, []],
    // Letters and marks of a non-Latin script are not symbols.
    ['क्षेत्रफलविज्ञान', { requireSymbols: true }, ['symbol_missing']],
    [
      'xqzvk',
      { minLength: 15, requireUppercase: true, requireNumbers: true, requireSymbols: true },
      ['too_short', 'uppercase_missing', 'number_missing', 'symbol_missing'],
    ],
    ['é'.repeat(513), {}, ['too_long']],
    ['lantern\0orbit', {}, ['invalid_text']],
    ['lantern\ud800orbit', {}, ['invalid_text']],
  ])('maps the password %j and the policy %j to the violations %j', (password, policy, codes) =>
    expect(codesFor(password, policy)).toEqual(codes),
  );

  it.each([
    'password',
    'PASSWORD',
    'ｐａｓｓｗｏｒｄ',
    'Password1234567!',
    '!!!dragon2026',
    'passwordpassword',
    'aaaaaaaaaaaaaaa',
    'abcabcabcabcabc',
    '123456789012345',
    '987654321098765',
    'qwertyuiopasdfgh',
    'abcdefghijklmnop',
  ])('rejects the common password %j', (password) => expect(codesFor(password)).toEqual(['common_password']));

  it.each([
    'lantern orbit velvet quarry',
    'dragon eats 3 lanterns',
    '8475620193847561',
    'correct horse battery staple',
    'xkcdxkcd-other',
    'lovelace counts engines',
    'the acme of perfection',
    'quarry-velvet-orbit',
  ])('accepts the uncommon password %j', (password) => expect(codesFor(password, {}, NAMES)).toEqual([]));

  it.each([
    'adalovelace',
    'Ada-Lovelace-1815',
    'lovelace.ada!!',
    'ada.lovelace@engines.example',
    'ACME-Müller-GmbH',
    'mueller-Acme-2026',
    'Mu\u0308ller acme mu\u0308ller',
    'countess.1815',
  ])('rejects the password %j, which consists of names', (password) =>
    expect(codesFor(password, {}, NAMES)).toContain('made_of_names'),
  );

  it('counts digits beside a number in a name', () => {
    const names = ['Organization 365', 'person-847@example.com'];
    expect(codesFor('8475620193847561', {}, names)).toEqual([]);
    expect(codesFor('365-847-365-12345', {}, names)).toEqual(['made_of_names']);
    expect(codesFor('organization-365-8402938', {}, names)).toEqual(['made_of_names']);
  });

  it('omits the password from the messages', () => {
    const policy = { ...OFF, minLength: 20, requireUppercase: true, requireNumbers: true };
    const violations = passwordViolations('hunter-zebra', policy, { names: ['zebra'], isCommon: () => true });
    expect(violations).toHaveLength(4);
    expect(JSON.stringify(violations)).not.toMatch(/hunter|zebra/);
  });
});

describe('policyRules', () => {
  it('lists only the rules that apply', () => {
    expect(policyRules(OFF)).toHaveLength(2);
    const strict = { minLength: 12, requireUppercase: true, requireNumbers: true, requireSymbols: true, preventReuse: 5 };
    expect(policyRules(strict)).toEqual([
      expect.stringContaining('12 characters'),
      expect.stringContaining('uppercase'),
      expect.stringContaining('digit'),
      expect.stringContaining('symbol'),
      expect.stringContaining('last 5 passwords'),
      expect.stringContaining('common'),
    ]);
  });
});

describe('CommonPasswords', () => {
  // OWASP ASVS 6.2.4.
  it('contains more than 3,000 passwords that the policy would accept', () => {
    const listed = readFileSync(join(import.meta.dirname, '../../data/common-passwords.txt'), 'utf8')
      .trimEnd()
      .split('\n');
    const longEnough = listed.filter((password) => [...password].length >= 8);
    expect(longEnough.length).toBeGreaterThan(3_000);
    expect(longEnough.filter((password) => !common.has(password))).toEqual([]);
    expect(longEnough.filter((password) => !common.has(password.repeat(2)))).toEqual([]);
    const words = longEnough.filter((password) => /^\p{L}+$/u.test(password));
    expect(words.length).toBeGreaterThan(3_000);
    expect(words.filter((word) => !common.has(`${word}1234567`))).toEqual([]);
  });

  it('throws if the password file is missing', () => {
    expect(() => new CommonPasswords('/nowhere/list.txt')).toThrow('/nowhere/list.txt');
  });
});
