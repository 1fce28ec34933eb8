/** Milliseconds after the deletion during which a user can be restored (specification 8). */
const RESTORE_WINDOW_MS = 30 * 24 * 3_600_000;

export const restorableUntil = (deletedAt: Date): Date => new Date(deletedAt.getTime() + RESTORE_WINDOW_MS);

/** Returns the cutoff of the purge: users who were deleted at or before this time can no longer be restored. */
export const purgeableSince = (now: Date): Date => new Date(now.getTime() - RESTORE_WINDOW_MS);

/** Returns whether a deleted user can still be restored. */
export const isRestorable = ({ deletedAt }: { readonly deletedAt: Date | null }, now: Date): boolean =>
  deletedAt !== null && restorableUntil(deletedAt) > now;
