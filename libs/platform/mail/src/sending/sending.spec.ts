import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, nextAttemptAfter } from './retry-schedule.js';
import { mailSenderOf } from './smtp-carrier.js';

describe('nextAttemptAfter', () => {
  const failedAt = new Date('2026-03-01T12:00:00.000Z');

  it.each([
    [1, '2026-03-01T12:01:00.000Z'],
    [2, '2026-03-01T12:05:00.000Z'],
    [3, '2026-03-01T12:30:00.000Z'],
    [4, '2026-03-01T14:00:00.000Z'],
    [6, '2026-03-02T00:00:00.000Z'],
  ])('schedules the retry after attempt %i for %s', (attempt, at) =>
    expect(nextAttemptAfter(attempt, failedAt)?.toISOString()).toBe(at),
  );

  it('returns null after the last attempt', () => {
    expect(nextAttemptAfter(MAX_ATTEMPTS - 1, failedAt)).not.toBeNull();
    expect(nextAttemptAfter(MAX_ATTEMPTS, failedAt)).toBeNull();
  });
});

describe('mailSenderOf', () => {
  it.each([
    ['Identity service <no-reply@example.com>', { name: 'Identity service', address: 'no-reply@example.com' }],
    ['no-reply@example.com', { name: '', address: 'no-reply@example.com' }],
  ])('parses %s', (text, sender) => expect(mailSenderOf(text)).toEqual(sender));
});
