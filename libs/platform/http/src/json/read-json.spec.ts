import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#platform/common';
import fc from 'fast-check';
import { ambiguousFieldsOf } from './ambiguous-fields.js';
import { canonicalJson, readJson } from './read-json.js';

const read = (json: string | Buffer): unknown => readJson(Buffer.from(json));

/** Returns `code pointer` of each problem, or the code of the error. */
function problemsOf(json: string | Buffer): readonly string[] {
  try {
    read(json);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.errors?.map(({ code, pointer }) => `${code} ${pointer}`) ?? [error.code];
  }
}

describe('readJson', () => {
  it.each(['0', '-0', '-0.0e5', '0e400', '1.0', '1e3', '1E+03', '0.1', '100e-2', '9007199254740992', '1e23', '-1.50', '5e-324'])(
    'keeps the number %s',
    (number) => {
      expect(read(`{"a":${number}}`)).toEqual({ a: Number(number) });
    },
  );

  it.each(['9007199254740993', '1546130668394913822', '1e400', '-1e400', '1e-400', '0.1000000000000000055', '1e999999999999'])(
    'rejects the number %s',
    (number) => {
      expect(problemsOf(`{"a~/\\u00e9":[{"b":0},\n\t{"b" : ${number} , "c":"${number}"}]}`)).toEqual([
        'inexact_number /a~0~1é/1/b',
      ]);
      expect(problemsOf(`[${number}]`)).toEqual(['inexact_number /0']);
    },
  );

  it.each([
    ['{"a":1,"b":2,"a":1}', ['duplicate_field /a']],
    ['{"a":{"b":1,"\\u0062":2}}', ['duplicate_field /a/b']],
    ['[{},{"":[],"":[]}]', ['duplicate_field /1/']],
    ['{"__proto__":1,"__proto__":2}', ['duplicate_field /__proto__']],
    ['{"a":"b\\":1,\\"a","b":":","c":[{"a":1},{"a":1}]}', []],
    [`{${Array.from({ length: 60 }, () => '"a":1').join(',')}}`, Array.from({ length: 50 }, () => 'duplicate_field /a')],
  ])('rejects duplicate fields (case %#)', (json, problems) => {
    expect(problemsOf(json)).toEqual(problems);
  });

  it('does not read the rest of JSON with the maximum number of problems', () => {
    expect(ambiguousFieldsOf(`[${'1e400,'.repeat(50)}"\\x"]`, '')).toHaveLength(50);
    expect(ambiguousFieldsOf(`{${'"a":1,'.repeat(51)}"\\x":1}`, '')).toHaveLength(50);
  });

  it.each([
    ['Latin-1', Buffer.from('{"a":"Zo\xeb"}', 'latin1')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['an overlong encoding', Buffer.from('7b2261223a22c0af227d', 'hex')],
    ['half of a surrogate pair', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['half of a character', Buffer.from('{"a":"é').subarray(0, -1)],
    ['a syntax error', Buffer.from('{"a":1-2}')],
  ])('rejects %s', (_, bytes) => {
    expect(problemsOf(bytes)).toEqual(['malformed_json']);
  });

  it('ignores a byte order mark', () => {
    expect(read('\ufeff{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
  });

  it('reads what JSON.parse reads, and writes it in one form', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(2), (value, spaces) => {
        const json = JSON.stringify(value, undefined, spaces);
        expect(read(json)).toEqual(JSON.parse(json));
        expect(canonicalJson(read(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
    expect(canonicalJson(read('{ "b": [1.0, {"z":1,"y":-0}], "a": "\\u0061" }'))).toBe('{"a":"a","b":[1,{"y":0,"z":1}]}');
  });

  it.each([
    ['a long number', `[${'1'.repeat(1_000_000)}]`],
    ['many zeros', `[0.${'0'.repeat(1_000_000)}1]`],
    ['many numbers', `[${Array.from({ length: 9_000 }, () => '12345678901234567890').join(',')}]`],
    ['a long name with many fields', `{"${'a'.repeat(200_000)}":[${'{"a":1,"a":1},'.repeat(2_000)}1]}`],
    ['many spaces', `[${' '.repeat(1_000_000)}]`],
    ['many quotes', '"'.repeat(1_000_000)],
    ['many backslashes', `["${'\\'.repeat(1_000_000)}"]`],
  ])('reads %s in linear time', (_, json) => {
    const start = performance.now();
    problemsOf(json);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
