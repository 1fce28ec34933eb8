import { describe, expect, it } from '@jest/globals';
import { headerProblem, isReservedHeader } from './custom-headers.js';

describe('headerProblem', () => {
  it.each([
    ['authorization', 'Bearer abc'],
    ['X-Api-Key', 'k'],
    ['x-empty', ''],
    ['x_under.score', 'a\tb c'],
    ['contents', 'x'],
  ])('accepts the header %s: %j', (name, value) => {
    expect(headerProblem(name, value, 'service')).toBeUndefined();
  });

  const connection = ['host', 'Host', 'connection', 'keep-alive', 'upgrade', 'expect'];
  const framing = ['content-length', 'transfer-encoding', 'te', 'trailer'];
  const describing = ['CONTENT-TYPE', 'content-encoding', 'proxy-authorization', 'user-agent', 'accept-encoding', 'date'];
  const signing = ['webhook-id', 'Webhook-Signature', 'webhook-anything', 'acme-signature', 'Acme-Signature'];
  it.each([...connection, ...framing, ...describing, ...signing])('rejects the reserved name %s', (name) => {
    expect(isReservedHeader(name, 'Acme')).toBe(true);
    expect(headerProblem(name, 'x', 'Acme')).toContain('Choose another name');
  });

  it.each(['', ' x', 'x ', 'a b', 'a:b', ':path', 'x\r\ny', 'x\0', 'ä', '__proto__', 'x'.repeat(129)])(
    'rejects the name %j',
    (name) => {
      expect(headerProblem(name, 'v', 'service')).toBeDefined();
    },
  );

  it.each(['a\r\nb', 'a\nx: y', 'a\0', ' a', 'a ', '\ta', 'ü', '🙂', 'a\x7f', 'a'.repeat(4097), '\r\n'])(
    'rejects the value %j',
    (value) => {
      const problem = headerProblem('x-a', value, 'service');
      expect(problem).toBeDefined();
      expect(problem).not.toContain('🙂');
    },
  );
});
