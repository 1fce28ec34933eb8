/**
 * Matches paths of pages that a sign-in can redirect to. Excludes text that parsers read differently: backslash, `//`, `..` and, before the
 * query, percent-encoding.
 */
export const RETURN_TO_PAGE = /^\/(?:dashboard|account)(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_.~%&=+:,-]*)?$/;

/** As `RETURN_TO_PAGE`, and the way back to an application that waits for the sign-in. */
export const RETURN_TO =
  /^(?:\/(?:dashboard|account)(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_.~%&=+:,-]*)?|\/oauth\/interactions\/[A-Za-z0-9_-]{1,64})$/;

/** The maximum length of an address after a sign-in. */
export const RETURN_TO_MAX_LENGTH = 512;
