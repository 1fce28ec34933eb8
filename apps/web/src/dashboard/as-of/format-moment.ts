import { formatDate, t } from '../../texts';
import { timeZone } from '../../ui/absolute-time';

const MS_PER_MINUTE = 60_000;

/** Formats a moment in the time zone of the device. Seconds are shown if they are not 0. */
export function formatMoment(at: string): string {
  const moment = new Date(at);
  const timeStyle = moment.getTime() % MS_PER_MINUTE === 0 ? 'short' : 'medium';
  return formatDate(moment, { dateStyle: 'long', timeStyle });
}

/** Formats a moment with the name of the time zone: "As of March 3, 2027 at 10:00 AM (Europe/Berlin)". */
export const formatAsOf = (at: string): string => t('asOf.moment', { moment: formatMoment(at), zone: timeZone() });
