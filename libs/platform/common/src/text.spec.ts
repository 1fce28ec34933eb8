import { describe, expect, it } from '@jest/globals';
import { domainOfEmail } from './domain-names.js';
import { asciiWords, emailKey, isSafeLine, isSafeText, nameKey, searchKey } from './text.js';

/** Every character with another case or a decomposition, except the syllables of Hangul, which are composed by a rule. */
const CHARACTERS = Array.from({ length: 0x2_0000 }, (_, code) => code)
  .filter((code) => code < 0xac00 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) =>
    [character.toUpperCase(), character.toLowerCase(), character.normalize('NFKD')].some((form) => form !== character),
  );
const isIotaSubscript = (character: string): boolean => character.normalize('NFD').includes('\u0345');

it.each([
  ['"a@b.example"@Bücher.example', 'xn--bcher-kva.example'],
  ['jane', undefined],
])('reads the domain after the last @ of %s', (email, domain) => expect(domainOfEmail(email)).toBe(domain));

describe('searchKey', () => {
  it.each([
    ['Łukasz Żółć', 'lukasz zolc'],
    ['Ørsted Đorđe Ħal', 'orsted dorde hal'],
    ['Straße ẞ Æsir Œuvre', 'strasse ss aesir oeuvre'],
    ['Þór Guðrún ĸ ŋ', 'thor gudrun q ng'],
    ['Irmak ırmak İzmir', 'irmak irmak izmir'],
    ['Кирилл Ёлкин', 'кирилл елкин'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['Ａｄａ ﬁn', 'ada fin'],
    ['O’Brien Jean–Luc', "o'brien jean-luc"],
    ['مهدی\u200cزاده', 'مهدیزاده'],
    ['山田\u3000太郎', '山田 太郎'],
  ])('folds %s', (text, key) => expect(searchKey(text)).toBe(key));

  it('has one form for each character in upper and lower case, decomposed, and without accents', () => {
    const different = CHARACTERS.filter((character) => {
      const forms = [character.toLowerCase(), character.normalize('NFD'), character.normalize('NFD').replace(/\p{M}/gu, '')];
      if (!isIotaSubscript(character)) forms.push(character.toUpperCase());
      return forms.some((form) => searchKey(`a${form}b`) !== searchKey(`a${character}b`));
    });
    expect(different).toEqual([]);
  });
});

describe('nameKey', () => {
  it('has one form for each character in upper and lower case, composed and decomposed', () => {
    const different = CHARACTERS.filter((character) =>
      [character.toUpperCase(), character.toLowerCase(), character.normalize('NFD'), nameKey(character)].some(
        (form) => nameKey(`a${form}b`) !== nameKey(`a${character}b`),
      ),
    );
    expect(different).toEqual([]);
  });

  it('distinguishes accents', () => expect(nameKey('Zoë')).not.toBe(nameKey('Zoe')));
});

describe('asciiWords', () => {
  it.each([
    ['Łódź Øre', 'lodz-ore'],
    ['Zażółć gęślą', 'zazolc-gesla'],
    ['Straße 5', 'strasse-5'],
    ['Санкт-Петербург', 'sankt-peterburg'],
    ['Αθήνα', 'athina'],
    ['北京', 'beijing'],
    ['🚀 Acme', '-acme'],
  ])('writes %s in ASCII', (text, words) => expect(asciiWords(text)).toBe(words));
});

it.each([
  ['Hans@Bücher.example', 'hans@xn--bcher-kva.example'],
  ['hans@BU\u0308CHER。example', 'hans@xn--bcher-kva.example'],
  ['hans@xn--bcher-kva.example', 'hans@xn--bcher-kva.example'],
  ['hans@a%2eb.example', 'hans@a%2eb.example'],
])('compares the address %s by the ASCII form of its domain', (email, key) => expect(emailKey(email)).toBe(key));

it.each([
  '\r',
  '\n',
  '\t',
  '\x1b',
  '\x7f',
  '\x85',
  '\u2028',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ufffe',
  '\u{1ffff}',
  '\u{e0041}',
  '\ud800',
])('finds a character that is unsafe in a name: %j', (character) => {
  expect(isSafeLine(`a${character}b`)).toBe(false);
  expect(isSafeText(`a${character}b`)).toBe(['\r', '\n', '\t'].includes(character));
});
