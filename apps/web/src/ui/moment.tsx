import { Tooltip } from '@mantine/core';
import { intl, t } from '../texts';

const STEPS: readonly [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Number.POSITIVE_INFINITY, 'year', 365 * 86_400],
];
const absolute = (moment: Date): string => intl().formatDate(moment, { dateStyle: 'medium', timeStyle: 'medium' });

/** "3 minutes ago", "in 2 days". */
export function relativeTime(moment: Date, now = new Date()): string {
  const seconds = (moment.getTime() - now.getTime()) / 1_000;
  const [, unit, size] = STEPS.find(([limit]) => Math.abs(seconds) < limit)!;
  return intl().formatRelativeTime(Math.round(seconds / size), unit, { numeric: 'auto' });
}

/** A time as people speak of it; the exact one shows on hover and focus. */
export function Moment({ at, fallback = t('common.never') }: { at: string | null | undefined; fallback?: string }) {
  if (!at) return <>{fallback}</>;
  const moment = new Date(at);
  return (
    <Tooltip label={absolute(moment)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} title={absolute(moment)}>
        {relativeTime(moment)}
      </time>
    </Tooltip>
  );
}

/** The exact time, for logs. */
export const exactTime = (at: string): string => absolute(new Date(at));
