/** Milliseconds after the deletion during which a user can be restored. */
const RESTORE_WINDOW_MS = 30 * 24 * 3_600_000;

export const restorableUntil = (deletedAt: Date): Date => new Date(deletedAt.getTime() + RESTORE_WINDOW_MS);

/** Returns the latest deletion time of users who can no longer be restored. */
export const purgeableSince = (now: Date): Date => new Date(now.getTime() - RESTORE_WINDOW_MS);

export const isRestorable = ({ deletedAt }: { readonly deletedAt: Date | null }, now: Date): boolean =>
  deletedAt !== null && restorableUntil(deletedAt) > now;
