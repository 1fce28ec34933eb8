/** A date and a time of day with an offset (RFC 3339, section 5.6). */
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/i;

/** Returns a time, or undefined for other text and for times that don't exist, such as 30 February. */
export function timeOf(text: string): Date | undefined {
  const parts = RFC_3339.exec(text)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, offsetHours = 0, offsetMinutes = 0] = parts;
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const time = new Date(text.toUpperCase());
  // PostgreSQL knows no year 0, and JavaScript writes later years otherwise.
  const isStorable = time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999;
  return isStorable ? time : undefined;
}
