import type { ActiveSession } from '#identity/session-access';

/** Returns when a session ends if it is not used again. */
export const usableUntil = ({ session, user }: ActiveSession): Date =>
  new Date(Math.min(session.expiresAt.getTime(), session.lastSeenAt.getTime() + user.rules.sessionTimeout * 1_000));
