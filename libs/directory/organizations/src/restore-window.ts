const DAY_MS = 24 * 3_600_000;

/** Milliseconds after the deletion during which an organization can be restored. */
export const RESTORE_WINDOW_MS = 30 * DAY_MS;
