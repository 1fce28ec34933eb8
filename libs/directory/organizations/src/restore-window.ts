const DAY_MS = 24 * 3_600_000;

/** Milliseconds after the deletion during which an organization or a user can be restored. */
export const RESTORE_WINDOW_MS = 30 * DAY_MS;

/** Returns the time until which an organization or a user can be restored. */
export const restorableUntil = (deletedAt: Date): Date => new Date(deletedAt.getTime() + RESTORE_WINDOW_MS);
