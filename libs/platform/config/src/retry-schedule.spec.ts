import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConfigError } from './config-error.js';
import { durationText } from './duration.js';
import { loadConfig } from './load-config.js';

const read = (text: string): readonly number[] => loadConfig({ WEBHOOK_RETRY_SCHEDULE: text }).webhookRetryScheduleMs;
const DAY_MS = 86_400_000;

describe('WEBHOOK_RETRY_SCHEDULE', () => {
  it('accepts delays whose sum is shorter than the delivery retention', () => {
    const delays = fc.array(fc.integer({ min: 1, max: DAY_MS }), { minLength: 1, maxLength: 20 });
    fc.assert(fc.property(delays, (delaysMs) => expect(read(delaysMs.map(durationText).join(','))).toEqual(delaysMs)));
  });

  it('rejects an invalid delay', () => {
    const invalid = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== '' && !text.split(',').every((part) => /^\d{1,12}(ms|s|m|h|d)$/.test(part.trim())));
    fc.assert(
      fc.property(invalid, (text) => {
        for (const value of [text, `1m,${text}`]) {
          expect(() => read(value)).toThrow(ConfigError);
          expect(() => read(value)).toThrow(/WEBHOOK_RETRY_SCHEDULE/);
        }
      }),
    );
  });
});
