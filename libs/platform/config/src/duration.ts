import { BadValue } from './bad-value.js';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;

/**
 * Parses a duration such as `500ms`, `15s`, `5m`, `2h` or `90d`. Returns milliseconds.
 * @throws BadValue for other texts, including numbers without a unit
 */
export function durationMs(text: string): number {
  const match = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text);
  if (!match) throw new BadValue('a whole number with a unit (ms, s, m, h or d), such as 15s or 2h');
  return Number(match[1]) * UNIT_MS[match[2] as Unit];
}

/** Formats milliseconds with the largest unit that leaves no remainder: the inverse of `durationMs`. */
export function durationText(milliseconds: number): string {
  const units: Unit[] = ['d', 'h', 'm', 's'];
  const unit = units.find((unit) => milliseconds > 0 && milliseconds % UNIT_MS[unit] === 0) ?? 'ms';
  return `${milliseconds / UNIT_MS[unit]}${unit}`;
}
