import { describe, expect, it } from '@jest/globals';
import { parseExactJson } from './exact-json';

describe('parseExactJson', () => {
  it.each(['{"a":[0,-0.0,1.50,1e3,1E+23,0.1]}', '"1546130668394913822"', '"\\"1546130668394913822"', '[9007199254740992]'])(
    'parses %s',
    (text) => {
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    },
  );

  it.each(['1546130668394913822', '{"a":[1e400]}', '[-1e-400]', '["\\\\",9007199254740993]', '{'])('rejects %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
