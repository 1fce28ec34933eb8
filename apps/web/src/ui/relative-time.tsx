import { formatRelative, t } from '../texts';
import { ExactTime } from './exact-time';
import { formatDateTime } from './format-date-time';

const STEPS: readonly [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Number.POSITIVE_INFINITY, 'year', 365 * 86_400],
];

/** Formats a time relative to now: "3 minutes ago", "in 2 days". */
export function formatRelativeTime(moment: Date, now = new Date()): string {
  const seconds = (moment.getTime() - now.getTime()) / 1_000;
  const [, unit, size] = STEPS.find(([limit]) => Math.abs(seconds) < limit)!;
  return formatRelative(Math.round(seconds / size), unit);
}

/** Shows a relative time. The exact time is in a tooltip. */
export function RelativeTime({ at, fallback = t('common.never') }: { at: string | null | undefined; fallback?: string }) {
  if (!at) return <>{fallback}</>;
  return (
    <ExactTime at={at} details={formatDateTime(at)}>
      {formatRelativeTime(new Date(at))}
    </ExactTime>
  );
}
