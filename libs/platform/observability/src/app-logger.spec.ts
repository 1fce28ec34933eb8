import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { LogLevel } from '#platform/config';
import { type AppLogger, createLogger } from './app-logger.js';

const API_KEY = 'service_sk_4fK2aQ0000000000000000000000000000000000000000000';

/** Returns everything that `use` logs, as text and as parsed lines. */
function logged(use: (logger: AppLogger) => void, level: LogLevel = 'info') {
  const text: string[] = [];
  use(createLogger(level, { write: (line) => void text.push(line) }));
  return { text: text.join(''), lines: text.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('AppLogger', () => {
  it('writes a JSON line with time, level, message and fields', () => {
    const { lines } = logged((logger) => logger.warn('Webhook disabled', { requestId: 'req-1', attempts: 6 }, 'DeliveryAttempt'));

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const fields = { requestId: 'req-1', attempts: 6, context: 'DeliveryAttempt' };
    expect(lines).toMatchObject([{ time, level: 'warn', msg: 'Webhook disabled', ...fields }]);
  });

  it('logs errors in all formats that Nest uses', () => {
    const error = new Error('broken', { cause: new Error('deeper') });
    const { lines } = logged((logger) => {
      logger.error('Failed', error.stack, 'ExceptionsHandler');
      logger.error(error);
      logger.error('Failed', error, { requestId: 'req-1' });
    });

    expect(lines[0]).toMatchObject({ msg: 'Failed', stack: error.stack, context: 'ExceptionsHandler' });
    expect(lines[1]).toMatchObject({ msg: 'broken', err: { type: 'Error', message: 'broken', cause: { message: 'deeper' } } });
    expect(lines[2]).toMatchObject({ msg: 'Failed', requestId: 'req-1', err: { message: 'broken' } });
  });

  it('adds the fields of a derived logger to each line', () => {
    const { lines } = logged((logger) => logger.with({ requestId: 'req-1', token: 'hunter2' }).log('x'));

    expect(lines[0]).toMatchObject({ requestId: 'req-1', token: '[redacted]' });
  });
});

describe('AppLogger during an outage of PostgreSQL', () => {
  it('logs one line for all failed statements, and all other errors', () => {
    const failed = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });
    const { lines } = logged((logger) => {
      for (let loop = 0; loop < 20; loop++)
        for (const code of ['57P01', 'ECONNREFUSED', '57P03'])
          logger.error({ err: failed(code) }, 'The relay failed.', 'EventRelay');
      logger.with({ requestId: 'req-1' }).warn({ err: failed('08006') }, 'A dependency does not respond.');
      for (const code of ['53100', '53100', '57014', '23505']) logger.error({ err: failed(code) }, 'A statement failed.');
    });

    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^PostgreSQL is not available\./),
      expect.stringMatching(/^The disk of PostgreSQL is full\./),
      'A statement failed.',
      'A statement failed.',
    ]);
    expect(lines[0]).toMatchObject({ level: 'error', failed: 'The relay failed.', err: { message: 'failed with 57P01' } });
  });
});

describe('AppLogger redaction', () => {
  it.each([
    { headers: { authorization: 'Bearer hunter2', Cookie: 'session=hunter2', 'x-request-id': 'shown' } },
    { response: { headers: { 'set-cookie': ['hunter2'] } }, a: 'shown' },
    { password: 'hunter2', newPassword: 'hunter2', PASSWORD: 'hunter2', a: 'shown' },
    { clientSecret: 'hunter2', webhook: { secret: 'hunter2', name: 'shown' } },
    { apiKey: 'hunter2', api_key: 'hunter2', 'x-api-key': 'hunter2', key: 'hunter2', secretsKeys: ['hunter2'], keyId: 'shown' },
    { list: [{ token: 'hunter2' }, { accessToken: { value: 'hunter2' } }], a: 'shown' },
    { a: { b: { c: { d: { e: { refresh_token: 'hunter2', f: 'shown' } } } } } },
    { err: Object.assign(new Error('shown'), { parameters: ['hunter2'], detail: 'Key (email)=(hunter2) exists' }) },
    { url: 'postgres://shown:hunter2@db/identity' },
    { link: 'https://id.example.com/accept-invitation?token=hunter2&shown=1' },
    { source: { toJSON: () => ({ password: 'hunter2', name: 'shown' }) } },
  ])('removes the secrets from %j', (fields) => {
    const { text } = logged((logger) => logger.log('x', fields));

    expect(text).not.toContain('hunter2');
    expect(text).toContain('shown');
  });

  it.each([
    `no key ${API_KEY} here`,
    'sent with Bearer Zm9vYmFyZm9vYmFy.x-y_z',
    'signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'redis://:Zm9vYmFy@redis:6379 is down',
  ])('hides credentials in the message "%s"', (message) => {
    const { text, lines } = logged((logger) => {
      logger.log(message);
      logger.error(new Error(message));
    });

    expect(text).not.toMatch(/0000000|Zm9v|MfKQ/);
    expect(lines.every((line) => String(line.msg).includes('[redacted]'))).toBe(true);
  });

  it('supports circular references, deep objects, buffers and bigints', () => {
    const circle: Record<string, unknown> = { bytes: Buffer.from('hunter2'), big: 2n ** 64n };
    circle.self = circle;
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ inner }), { password: 'hunter2' });

    const { lines, text } = logged((logger) => logger.log('x', { circle, deep }));

    expect(lines[0]).toMatchObject({ circle: { bytes: '[7 bytes]', big: '18446744073709551616', self: '[circular]' } });
    expect(text).not.toContain('hunter2');
  });

  it('produces valid JSON for any text', () => {
    const nasty = fc.array(fc.constantFrom('?token=', '://', ':', '@', '"', '\\', '\n', 'Bearer ', API_KEY, 'whsec_', '&', 'a'));
    fc.assert(
      fc.property(nasty, (parts) => {
        expect(logged((logger) => logger.log(parts.join(''), { field: parts.join('') })).lines).toHaveLength(1);
      }),
    );
  });
});
