import { formatDate } from '../texts';
import { ExactTime } from './exact-time';
import { formatDateTime } from './format-date-time';
import { formatRelativeTime } from './relative-time';

/** Returns the name of the device's time zone, such as "Europe/Berlin". */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const formatWithZone = (at: string): string =>
  formatDate(new Date(at), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });

/** Shows a date and time to the second in the device's time zone. How long ago it was, and the time in UTC, are in a tooltip. */
export function AbsoluteTime({ at, hasZone = false }: { at: string; hasZone?: boolean }) {
  const more = `${formatRelativeTime(new Date(at))} · ${at}`;
  return (
    <ExactTime at={at} details={more}>
      {hasZone ? formatWithZone(at) : formatDateTime(at)}
    </ExactTime>
  );
}
