import type { SignInOutcome } from '#identity/sign-in';

/**
 * Where a page may have people led back to: the service's own pages alone. No host, no backslash, no `//`, no `..` and, before the query,
 * nothing encoded: there is but one way to read it.
 */
export const RETURN_TO = /^\/(?:dashboard|account)(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_.~%&=+:,-]*)?$/;

const SIGN_IN_PAGE = '/account/sign-in';

/** The sign-in page, which tells why it did not work out. */
export const failedSignInAddress = (baseUrl: string, organization: string, code: string): string =>
  `${baseUrl}${SIGN_IN_PAGE}?${new URLSearchParams({ organization, error: code }).toString()}`;

/** The sign-in page, which asks for the second factor. The challenge stands in the fragment, which browsers send to nobody. */
export function challengeAddress(
  baseUrl: string,
  { challengeToken, methods }: Extract<SignInOutcome, { kind: 'mfa_required' }>,
  organization: string,
  returnTo: string,
): string {
  const fragment = { challenge: challengeToken, methods: methods.join(','), organization, returnTo };
  return `${baseUrl}${SIGN_IN_PAGE}#${new URLSearchParams(fragment).toString()}`;
}
