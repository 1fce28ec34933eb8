/**
 * Matches paths of pages that a sign-in can redirect to. Excludes text that parsers read differently: backslash, `//`, `..` and, before the
 * query, percent-encoding.
 */
const PAGE = String.raw`\/(?:dashboard|account)(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_.~%&=+:,-]*)?`;
/** The way back to an application that waits for the sign-in. */
const APPLICATION = String.raw`\/oauth\/interactions\/[A-Za-z0-9_-]{1,64}`;

export const RETURN_TO_PAGE = new RegExp(`^${PAGE}$`);
export const RETURN_TO = new RegExp(`^(?:${PAGE}|${APPLICATION})$`);

/** The maximum length of an address after a sign-in. */
export const RETURN_TO_MAX_LENGTH = 512;
