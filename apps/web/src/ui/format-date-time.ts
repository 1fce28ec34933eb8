import { formatDate } from '../texts';

/** Formats date and time to the second. */
export const formatDateTime = (at: string): string => formatDate(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' });
