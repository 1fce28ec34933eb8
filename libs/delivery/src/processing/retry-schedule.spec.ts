import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#config';
import { delayAfterAttemptMs } from './retry-schedule.js';

describe('delayAfterAttemptMs', () => {
  const schedule = loadConfig({}).webhookRetryScheduleMs;

  it.each([
    [1, 60],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 86_400],
  ])('after failed attempt %i it is %i s by default', (attempt, seconds) => {
    expect(delayAfterAttemptMs(attempt, schedule)).toBe(seconds * 1_000);
  });

  it('is none after the last', () => {
    expect(delayAfterAttemptMs(6, schedule)).toBeUndefined();
    expect(delayAfterAttemptMs(1, [])).toBeUndefined();
  });
});
