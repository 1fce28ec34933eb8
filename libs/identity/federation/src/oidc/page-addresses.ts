import type { SignInOutcome } from '#identity/sign-in';

/**
 * Matches the paths that a sign-in can redirect to: only pages of the service. The paths contain no host, no backslash, no `//`, no `..` and,
 * before the query, no percent-encoding, so that all parsers read the paths in the same way.
 */
export const RETURN_TO = /^\/(?:dashboard|account)(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_.~%&=+:,-]*)?$/;

const SIGN_IN_PAGE = '/account/sign-in';

/** Returns the URL of the sign-in page with an error code, which the page explains. */
export const failedSignInUrl = (baseUrl: string, organization: string, code: string): string =>
  `${baseUrl}${SIGN_IN_PAGE}?${new URLSearchParams({ organization, error: code }).toString()}`;

/** Returns the URL of the sign-in page with an MFA challenge. The challenge is in the fragment, which browsers don't send to servers. */
export function challengeUrl(
  baseUrl: string,
  { challengeToken, methods }: Extract<SignInOutcome, { kind: 'mfa_required' }>,
  organization: string,
  returnTo: string,
): string {
  const fragment = { challenge: challengeToken, methods: methods.join(','), organization, returnTo };
  return `${baseUrl}${SIGN_IN_PAGE}#${new URLSearchParams(fragment).toString()}`;
}
