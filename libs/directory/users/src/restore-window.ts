/** How long a soft-deleted user can be restored (specification 8). */
export const RESTORE_WINDOW_MS = 30 * 24 * 3_600_000;
