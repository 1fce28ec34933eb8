import { describe, expect, it } from '@jest/globals';
import { assertUserName, userNameKeyOf } from './user-name.js';

describe('a user name', () => {
  it.each([
    ['Ada', 'ada'],
    ['ＡＤＡ\u3000Ｌ', 'ada l'],
    ['CAFE\u0301', 'caf\u00e9'],
    ['ΝΊΚΟΣ', 'νίκοσ'],
    ['νίκος', 'νίκοσ'],
    ['Hans@BÜCHER.example', 'hans@xn--bcher-kva.example'],
    ['ﬁ', 'ﬁ'],
  ])('%s is compared as %s', (userName, key) => {
    expect(userNameKeyOf(userName)).toBe(key);
  });

  it.each(['ada.l-9 x@example.com', 'Νίκος', 'l·l', '\u0375α', 'א\u05f3', '\u0663\u0664', 'ﾊﾝ', '日本・'])(
    '%s is valid',
    (userName) => {
      expect(() => assertUserName(userName)).not.toThrow();
    },
  );

  it.each([
    ['a\u202eb', '202E'],
    ['a\u200bb', '200B'],
    ['a\nb', '000A'],
    ['a\u007f', '007F'],
    ['☃', '2603'],
    ['x😀', '1F600'],
    ['ﬁ', 'FB01'],
    ['aⅷ', '2177'],
    ['a\u0640', '0640'],
    ['l·a', '00B7'],
    ['a·l', '00B7'],
    ['\u0375a', '0375'],
    ['a\u05f3', '05F3'],
  ])('%j contains the excluded character U+%s', (userName, codePoint) => {
    expect(() => assertUserName(userName)).toThrow(
      expect.objectContaining({ scimType: 'invalidValue', message: expect.stringContaining(`U+${codePoint} (RFC 8265)`) }),
    );
  });

  it.each([' ada', 'ada ', '', '\u0663\u06f3', '\u06f3a\u0663'])('rejects %j', (userName) => {
    expect(() => assertUserName(userName)).toThrow(
      expect.objectContaining({ scimType: 'invalidValue', message: expect.stringContaining('begin or end with a space') }),
    );
  });
});
