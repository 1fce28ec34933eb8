import { expect, it } from '@jest/globals';
import { domainNameOf } from './domain-name.js';

it.each([
  ['Example.COM', 'example.com'],
  [' example.com. ', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['a.b.c.example', 'a.b.c.example'],
])('reads "%s" as %s', (text, name) => {
  expect(domainNameOf(text)).toBe(name);
});

it.each(['localhost', '1.2.3.4', 'a_b.com', 'example.com/path', '*.example.com'])('rejects "%s"', (text) => {
  expect(() => domainNameOf(text)).toThrow();
});
