import { RESTORE_WINDOW_MS, restorableUntil } from '#directory/organizations';

/** Returns the latest deletion time of users who can no longer be restored. */
export const purgeableSince = (now: Date): Date => new Date(now.getTime() - RESTORE_WINDOW_MS);

export const isRestorable = ({ deletedAt }: { readonly deletedAt: Date | null }, now: Date): boolean =>
  deletedAt !== null && restorableUntil(deletedAt) > now;
