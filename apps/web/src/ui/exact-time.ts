import { formatDate } from '../texts';

/** The exact time, for logs. */
export const exactTime = (at: string): string => formatDate(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' });
