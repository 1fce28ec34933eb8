import { describe, expect, it } from '@jest/globals';
import { COMMON_ATTRIBUTES, complex, text } from './attributes.js';
import { presenceOf } from './comparison.js';
import { conditionsOf, type Filter, parseFilter, parsePath } from './filter.js';
import { USER_TYPE } from './schemas.js';
import { readValueFilter } from './value-filter.js';

const MAX_MS = 1_000;
/** Text that took the parser an exponential or a quadratic time. With 60 line feeds it would take years. */
const SLOW_TEXTS = ['"' + '\n'.repeat(31), '"' + '\\'.repeat(3_001), ' '.repeat(3_900), '('.repeat(3_900), 'a.'.repeat(1_900)];

const filterWith = (value: string): Filter => parseFilter(`userName eq ${value}`);
const emails = USER_TYPE.schema.attributes.find(({ name }) => name === 'emails')!;
const matches = (item: object, filter: string): boolean => readValueFilter(emails, parseFilter(filter)).matches({ ...item });

describe('a filter', () => {
  it.each(SLOW_TEXTS)('is rejected at once: case %#', (text) => {
    const startedAt = process.cpuUsage();
    expect(() => filterWith(text)).toThrow();
    expect(() => parsePath(`emails[value eq ${text}].value`)).toThrow();
    // Processor time, because the machine can be busy.
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(MAX_MS);
  });

  it.each([
    ['"Zo\\u00eb"', 'Zoë'],
    ['"\\ud83d\\ude00 \\" \\\\ \\/ \\b\\f\\n\\r\\t"', '😀 " \\ / \b\f\n\r\t'],
    ['"\u2028\u00a0\u202e"', '\u2028\u00a0\u202e'],
    ['"C:\\\\dir\\\\"', 'C:\\dir\\'],
    ['-10.25e+12', -10.25e12],
    ['2E3', 2_000],
    ['true', true],
    ['null', null],
  ])('decodes the value %s as JSON', (text, value) => {
    expect(filterWith(text)).toEqual({ op: 'eq', attrPath: 'userName', compValue: value });
  });

  it.each([
    ['"\\x"', 13, 'the string has an invalid escape. Escape as in JSON: \\" and \\\\.'],
    ['"\\u00g0"', 13, 'the string has an invalid escape'],
    ['"\\ud800"', 13, 'the string must be valid Unicode text'],
    ['"\\u0000"', 13, 'the string must be valid Unicode text'],
    ['"\t"', 14, 'a string contains a control character'],
    ['"a"b"', 16, 'expected a space, but found "b".'],
    ["'a'", 13, `expected a value: a string in double quotes, a number, true, false or null, but found "'a'".`],
    ['True', 13, 'expected a value'],
    ['01', 13, 'expected a value'],
    ['1e999', 13, 'expected a value'],
    ['+1', 13, 'expected a value'],
    ['"a" ]', 17, 'expected "and", "or" or the end of the filter, but found "]".'],
    ['"a" and', 20, 'expected the name of an attribute, but it ends there.'],
    ['"a"and title pr', 16, 'expected a space, but found "and".'],
    ['"a"\u00a0and title pr', 16, 'only strings in double quotes can contain other characters than printable ASCII.'],
    ['"a".b', 16, 'expected a space, but found ".b".'],
    ['"a"\nand title pr', 16, 'only strings in double quotes'],
    ['"a\\', 13, 'the string has no closing quote.'],
    [`"a" ${'b'.repeat(60)}`, 17, `but found "${'b'.repeat(50)}".`],
  ])('rejects the value %s', (text, position, problem) => {
    const message = expect.stringMatching(
      new RegExp(`^The filter is invalid at character ${position}: .*jane@example\\.com"\\.$`),
    );
    expect(() => filterWith(text)).toThrow(expect.objectContaining({ scimType: 'invalidFilter', message }));
    expect(() => filterWith(text)).toThrow(problem);
  });

  it('has the precedence of the RFC, operators in any case, and any number of spaces', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((attrPath) => ({ op: 'pr', attrPath }));
    const cases: [string, unknown][] = [
      ['a pr or b pr and c pr', { op: 'or', filters: [a, { op: 'and', filters: [b, c] }] }],
      [
        '(a pr OR b pr) And NOT(c PR)',
        {
          op: 'and',
          filters: [
            { op: 'or', filters: [a, b] },
            { op: 'not', filter: c },
          ],
        },
      ],
      ['  a   pr  ', a],
      ['a!~ pr', { op: 'pr', attrPath: 'a!~' }],
      ['x[a pr]', { op: '[]', attrPath: 'x', valFilter: a }],
      ['x[ a pr ].b pr', { op: '[]', attrPath: 'x', valFilter: { op: 'and', filters: [a, b] } }],
    ];
    for (const [text, filter] of cases) expect([text, parseFilter(text)]).toEqual([text, filter]);
  });

  it.each([
    ['not a pr', 'character 5: expected "(", but found "a"'],
    ['a eq "x" b', 'character 10: expected "and", "or"'],
    ['x [a pr]', 'character 3: expected an operator (eq, ne, co, sw, ew, gt, ge, lt, le, pr), but found "["'],
    ['x[y[a pr]]', 'character 4: expected an operator'],
    ['x[a pr] .b pr', 'character 9: expected "and", "or"'],
    ['a\tpr', 'character 2: only strings'],
    ['ä pr', 'character 1: only strings'],
    ['()', 'character 2: expected the name of an attribute, but found ")"'],
    ['a pr)', 'character 5: expected "and", "or"'],
    ['a(b pr)', 'character 2: expected an operator'],
    ['(a pr]', 'character 6: expected ")", but found "]"'],
    ['(a pr)and b pr', 'character 7: expected a space'],
    ['x[a pr]b pr', 'character 8: expected a space'],
    ['x[a pr]"b"', 'character 8: expected a space'],
  ])('rejects %s', (text, problem) => {
    expect(() => parseFilter(text)).toThrow(problem);
  });

  it('limits length, conditions and depth', () => {
    const conditions = (count: number) => Array.from({ length: count }, () => 'a pr').join(' or ');
    const nested = (depth: number) => `${'('.repeat(depth)}a pr${')'.repeat(depth)}`;
    expect(() => parseFilter(conditions(100))).not.toThrow();
    expect(() => parseFilter(nested(20))).not.toThrow();
    expect(() => parseFilter(conditions(101))).toThrow('more than 100 conditions');
    expect(() => parseFilter(nested(21))).toThrow('more than 20 parentheses');
    expect(() => parseFilter('a pr'.padEnd(4_000))).not.toThrow();
    expect(() => parseFilter('a pr'.padEnd(4_001))).toThrow('longer than 4000 characters');
  });
});

describe('the filter in the path of a PATCH operation', () => {
  it('has brackets and at most one sub-attribute after them', () => {
    const filter = { op: 'eq', attrPath: 'type', compValue: 'a]"[' };
    expect(parsePath('emails[type eq "a]\\"["].value')).toEqual({ attrPath: 'emails.value', filter });
    expect(parsePath('emails[type eq "a]\\"["]')).toEqual({ attrPath: 'emails', filter });
    expect(parsePath('emails.value')).toEqual({ attrPath: 'emails.value' });
    for (const path of [
      'emails[type pr]value',
      'emails[type pr] .value',
      'emails[type pr].value x',
      'emails[type pr',
      'emails[]',
    ])
      expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    expect(() => parsePath(`x[a pr].${'b'.repeat(200)} c`)).toThrow(
      expect.objectContaining({ scimType: 'invalidPath', message: `"x[a pr].${'b'.repeat(192)}" is not a path.` }),
    );
  });

  it('reads and compares values as the filters of lists do', () => {
    const cases: [object, string, boolean][] = [
      [{ primary: true }, 'primary eq "True"', true],
      [{ primary: true }, 'primary ne "true"', false],
      [{}, 'primary eq false', true],
      [{ value: 'Zoë' }, 'VALUE eq "ZO\\u00cb"', true],
      [{ type: 'b' }, 'type gt "A" and type le "B"', true],
      [{}, 'type ne "work"', true],
      [{}, 'type eq null', true],
      [{}, 'type ne null', false],
      [{ type: 'x' }, 'not (type pr)', false],
      [{ type: 'x' }, 'type pr and type eq "y"', false],
      [{ type: 'x' }, 'type eq "x" or type eq "y"', true],
      [{ type: 'x' }, 'type ne "X"', false],
      [{}, 'type co "x" or type sw "x" or type ew "x" or type lt "x"', false],
      [{ type: 'abc' }, 'type co "B" and type sw "AB" and type ew "BC"', true],
      [{ type: 'abc' }, 'type co "x"', false],
      [{ type: 'abc' }, 'type sw "b"', false],
      [{ type: 'abc' }, 'type ew "b"', false],
      [{ type: 'b' }, 'type ge "b" and type le "b" and type lt "c" and type ge "a"', true],
      [{ type: 'b' }, 'type gt "b" or type lt "b" or type lt "a" or type le "a" or type ge "c" or type gt "c"', false],
      [{ type: '\uff5e' }, 'type lt "\u{1f600}"', true],
      [{ value: 'hans@bücher.example' }, 'value eq "HANS@xn--bcher-kva.example"', true],
      [{ value: 'hans@bücher.example' }, 'value ne "hans@xn--bcher-kva.example"', false],
      [{ value: 'hans@bücher.example' }, 'value co "xn--"', false],
      [{ display: 'hans@bücher.example' }, 'display eq "hans@xn--bcher-kva.example"', false],
    ];
    for (const [item, filter, expected] of cases) expect([filter, matches(item, filter)]).toEqual([filter, expected]);
    const invalid: [string, string][] = [
      ['primary gt true', '"primary" can\'t be compared with this value and "gt": true and false support eq, ne and pr.'],
      ['primary eq "maybe"', 'its values are true and false.'],
      ['type eq 1', 'its values are strings. Send the value in double quotes.'],
      ['type gt null', 'null supports eq and ne.'],
      ['shoe eq "1"', 'The attribute "emails" has no sub-attribute "shoe".'],
      [`${'a'.repeat(201)} pr`, `"${'a'.repeat(200)}".`],
    ];
    for (const [filter, problem] of invalid) expect(() => matches({}, filter)).toThrow(problem);
    expect(() => readValueFilter(emails, { op: '[]', attrPath: 'value', valFilter: parseFilter('a pr') })).toThrow(
      'no other brackets',
    );
  });

  it('compares times, and texts whose case matters', () => {
    const [created] = COMMON_ATTRIBUTES.find(({ name }) => name === 'meta')!.subAttributes!.slice(1);
    const entries = complex('entries', '', [created!, text('id', '', { caseExact: true })]);
    const item = { id: 'A', created: '2026-01-31T13:00:00+01:00' };
    const cases: [string, boolean][] = [
      ['created eq "2026-01-31T12:00:00Z"', true],
      ['created ne "2026-01-31T12:00:00Z" or created gt "2026-01-31T12:00:00Z"', false],
      ['created ge "2026-01-31T12:00:00Z" and created lt "2026-01-31T12:00:01Z"', true],
      ['id eq "A"', true],
      ['id eq "a"', false],
    ];
    for (const [filter, expected] of cases)
      expect([filter, readValueFilter(entries, parseFilter(filter)).matches(item)]).toEqual([filter, expected]);
    for (const op of ['co', 'sw', 'ew'])
      expect(() => readValueFilter(entries, parseFilter(`created ${op} "2026-01-31T12:00:00Z"`))).toThrow('times support eq');
    expect(() => readValueFilter(entries, parseFilter('created eq "2026"'))).toThrow('its values are times (RFC 3339)');
  });

  it('describes a value with equalities, and has a number of conditions', () => {
    const cases: [string, number, object | undefined][] = [
      ['type eq "Work" and primary eq true', 2, { type: 'Work', primary: true }],
      ['primary ne true', 1, undefined],
      ['type eq null', 1, undefined],
      ['type eq "a" or type eq "b"', 2, undefined],
      ['type eq "a" and not (type eq "b" or value pr)', 3, undefined],
    ];
    for (const [filter, size, described] of cases)
      expect(readValueFilter(emails, parseFilter(filter))).toMatchObject({ size, described });
    expect(presenceOf({ op: 'pr', attrPath: 'emails' })).toBe(true);
    expect(conditionsOf(parseFilter('emails[type pr and value pr]'))).toHaveLength(2);
  });
});
