import type { SignInOutcome } from '#identity/sign-in';

const SIGN_IN_PAGE = '/account/sign-in';

/** Returns the URL of the sign-in page, with an error code that the page explains. */
export const failedSignInUrl = (baseUrl: string, organization: string, code: string): string =>
  `${baseUrl}${SIGN_IN_PAGE}?${new URLSearchParams({ organization, error: code }).toString()}`;

/** Returns the URL of the sign-in page with an MFA challenge in the fragment, which browsers don't send to servers. */
export function challengeUrl(
  baseUrl: string,
  { challengeToken, methods }: Extract<SignInOutcome, { kind: 'mfa_required' }>,
  organization: string,
  returnTo: string,
): string {
  const fragment = { challenge: challengeToken, methods: methods.join(','), organization, returnTo };
  return `${baseUrl}${SIGN_IN_PAGE}#${new URLSearchParams(fragment).toString()}`;
}
