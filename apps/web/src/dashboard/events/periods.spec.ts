import { expect, it } from '@jest/globals';
import { limitsOf } from './periods';

const NOW = new Date(2026, 0, 3, 15, 30);
const midnight = (year: number, month: number, day: number): string => new Date(year, month, day).toISOString();

it.each([
  ['today', midnight(2026, 0, 3), undefined],
  ['last7Days', midnight(2025, 11, 28), undefined],
  ['last30Days', midnight(2025, 11, 5), undefined],
  ['thisMonth', midnight(2026, 0, 1), undefined],
  ['lastMonth', midnight(2025, 11, 1), midnight(2026, 0, 1)],
] as const)('the period %s has whole days', (period, since, until) => {
  expect(limitsOf(period, NOW)).toEqual({ since, until });
});
