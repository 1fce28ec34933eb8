import { describe, expect, it } from '@jest/globals';
import { type Filter, parseFilter, parsePath } from './filter.js';
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
    const startedAt = performance.now();
    expect(() => filterWith(text)).toThrow();
    expect(() => parsePath(`emails[value eq ${text}].value`)).toThrow();
    expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
  });

  it.each([
    ['"Zo\\u00eb"', 'Zoë'],
    ['"\\ud83d\\ude00 \\" \\\\ \\/ \\b\\f\\n\\r\\t"', '😀 " \\ / \b\f\n\r\t'],
    ['"\u2028\u00a0\u202e"', '\u2028\u00a0\u202e'],
    ['"C:\\\\dir\\\\"', 'C:\\dir\\'],
    ['-1.5e3', -1_500],
    ['true', true],
    ['null', null],
  ])('decodes the value %s as JSON', (text, value) => {
    expect(filterWith(text)).toEqual({ op: 'eq', attrPath: 'userName', compValue: value });
  });

  it.each([
    '"\\x"',
    '"\\u00g0"',
    '"\\ud800"',
    '"\\u0000"',
    '"\t"',
    '"a"b"',
    "'a'",
    'True',
    '01',
    '1e999',
    '+1',
    '"a" ]',
    '"a" and',
    '"a"and title pr',
    '"a"\u00a0and title pr',
    '"a"\nand title pr',
  ])('rejects the value %s', (text) => {
    expect(() => filterWith(text)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
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
      ['x[a pr]', { op: '[]', attrPath: 'x', valFilter: a }],
      ['x[ a pr ].b pr', { op: '[]', attrPath: 'x', valFilter: { op: 'and', filters: [a, b] } }],
    ];
    for (const [text, filter] of cases) expect([text, parseFilter(text)]).toEqual([text, filter]);
  });

  it.each(['not a pr', 'a eq "x" b', 'x [a pr]', 'x[y[a pr]]', 'x[a pr] .b pr', 'a\tpr', 'ä pr', '()', 'a pr)', 'a pr or'])(
    'rejects %s',
    (text) => {
      expect(() => parseFilter(text)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
    },
  );

  it('limits length, conditions and depth', () => {
    const conditions = (count: number) => Array.from({ length: count }, () => 'a pr').join(' or ');
    const nested = (depth: number) => `${'('.repeat(depth)}a pr${')'.repeat(depth)}`;
    expect(() => parseFilter(conditions(100))).not.toThrow();
    expect(() => parseFilter(nested(20))).not.toThrow();
    expect(() => parseFilter(conditions(101))).toThrow('more than 100 conditions');
    expect(() => parseFilter(nested(21))).toThrow('more than 20 parentheses');
    expect(() => filterWith(`"${'a'.repeat(4_000)}"`)).toThrow('longer than 4000 characters');
  });
});

describe('the filter in the path of a PATCH operation', () => {
  it('has brackets and at most one sub-attribute after them', () => {
    const filter = { op: 'eq', attrPath: 'type', compValue: 'a]"[' };
    expect(parsePath('emails[type eq "a]\\"["].value')).toEqual({ attrPath: 'emails.value', filter });
    expect(parsePath('emails[type eq "a]\\"["]')).toEqual({ attrPath: 'emails', filter });
    for (const path of [
      'emails[type pr]value',
      'emails[type pr] .value',
      'emails[type pr].value x',
      'emails[type pr',
      'emails[]',
    ])
      expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
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
      [{ type: 'x' }, 'not (type pr)', false],
    ];
    for (const [item, filter, expected] of cases) expect([filter, matches(item, filter)]).toEqual([filter, expected]);
    for (const filter of ['primary gt true', 'primary eq "maybe"', 'type eq 1', 'shoe eq "1"'])
      expect(() => matches({}, filter)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
  });
});
