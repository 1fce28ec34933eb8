import type { KeyUnder } from '../../texts';

type Period = KeyUnder<'events.periods'>;

interface Limits {
  readonly since: string;
  /** Undefined until now. */
  readonly until: string | undefined;
}

/** Returns the start of the day that is a number of months and days away. */
const startOfDay = (now: Date, months: number, day: number): string =>
  new Date(now.getFullYear(), now.getMonth() + months, day).toISOString();

const LIMITS: Record<Period, (now: Date) => Limits> = {
  today: (now) => ({ since: startOfDay(now, 0, now.getDate()), until: undefined }),
  last7Days: (now) => ({ since: startOfDay(now, 0, now.getDate() - 6), until: undefined }),
  last30Days: (now) => ({ since: startOfDay(now, 0, now.getDate() - 29), until: undefined }),
  thisMonth: (now) => ({ since: startOfDay(now, 0, 1), until: undefined }),
  lastMonth: (now) => ({ since: startOfDay(now, -1, 1), until: startOfDay(now, 0, 1) }),
};

export const isPeriod = (value: string | null): value is Period => value !== null && value in LIMITS;

/** Returns the limits of a period in the time zone of the device. */
export const limitsOf = (period: Period, now: Date): Limits => LIMITS[period](now);
