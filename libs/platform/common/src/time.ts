const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/**
 * Returns the time of a text in the format of RFC 3339 (section 5.6), with milliseconds. Returns undefined for another text, for example
 * without an offset, and for a time that does not exist, such as 31 February or hour 24, because `Date` would read it as another time.
 * Leap seconds and years outside 0001 to 9999 (in UTC) are invalid, because `Date` or PostgreSQL lacks them.
 */
export function parseTime(text: string): Date | undefined {
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts.slice(7);
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const time = new Date(0);
  // Unlike Date.UTC, setUTCFullYear does not read the years 0 to 99 as 1900 to 1999.
  time.setUTCFullYear(year, month - 1, day);
  // A day that the month lacks rolls over to the next month.
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  time.setUTCHours(hour, minute - offset, second, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const utcYear = time.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9_999 ? time : undefined;
}
