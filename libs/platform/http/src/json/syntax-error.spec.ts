import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { syntaxErrorOf } from './syntax-error.js';

describe('syntaxErrorOf', () => {
  it.each([
    ['{"name":"Acme",}', / at column 16\. Expected the name of a field/],
    ['{"name":', / at column 9\. It ends there, but needs a value/],
    ['{"name" "Acme"}', / at column 9\. Expected ":"/],
    ['{\n  "name": "Acme"\n  "slug": "acme"\n}', / at line 3, column 3\. Expected "," or "}"/],
    ["{'name':1}", / at column 2\. Expected the name/],
    ['{"name":Acme}', / at column 9\. Expected a value/],
    ['[1,2', / at column 5\. It ends there, but needs "," or "]"/],
    ['[01]', / at column 2\. Expected a value/],
    ['"a\nb"', / at line 1, column 3\. Expected an escape sequence such as/],
    ['"\\x"', / at column 2\. Expected an escape sequence of JSON/],
    ['"abc', / at column 5\. It ends there, but needs a double quote/],
    ['{} {}', / at column 4\. Expected the end/],
    ['', / at column 1\. It ends there, but needs a value/],
  ])('finds the error of %j', (json, expected) => expect(syntaxErrorOf(json)).toMatch(expected));

  it('finds an error exactly where JSON.parse does', () => {
    const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', '1', 'x', '\n'));
    fc.assert(
      fc.property(broken, ([json, at, inserted]) => {
        const position = at % (json.length + 1);
        const text = json.slice(0, position) + inserted + json.slice(position + 1);
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        expect([text, syntaxErrorOf(text) === '']).toEqual([text, isValid]);
      }),
    );
  });
});
