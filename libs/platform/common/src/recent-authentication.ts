import { assertDelegable, changesSomething } from './access.js';
import { ReauthenticationRequired } from './domain-error.js';
import type { OrganizationScope, RequestContext, RequestSession } from './request-context.js';

/** How long an authentication counts as recent. */
const RECENT_SECONDS = 600;

/** Returns the text about recent authentication for the description of an operation. */
const ruleFor = (session: string, exemptCredential: string): string =>
  `If you use a session${session}, you must have signed in or confirmed your identity in the last 10 minutes; otherwise the response is 401 \`reauthentication_required\`. Requests with ${exemptCredential} are exempt.`;

/** For operations that call `assertRecentlyAuthenticated`. */
export const RECENT_SIGN_IN = ruleFor('', 'an API key');

/** For operations that are sensitive only for some requests. The preceding sentence must say for which requests. */
export const RECENT_SIGN_IN_IF_SENSITIVE = ruleFor(' for a sensitive operation', 'an API key');

/** For operations that require a confirmation of the identity after the sign-in. */
export const CONFIRMATION =
  'If your account has a password, you must have confirmed your identity in the last 10 minutes (`POST /v1/auth/reauthentication`), even if you have just signed in. Without a password, a sign-in in the last 10 minutes is enough. Otherwise the response is 401 `reauthentication_required`. For older clients, the operation also accepts `currentPassword` in a JSON body instead.';

/** For operations that users and platform keys can call, but no other API keys. */
export const RECENT_SIGN_IN_OR_PLATFORM_KEY = ruleFor('', 'a platform key');

/** Returns the time until which an authentication counts as recent. */
export const recentUntil = (authenticatedAt: Date): Date => new Date(authenticatedAt.getTime() + RECENT_SECONDS * 1_000);

/**
 * Asserts that the last authentication was recent, so that a stolen session can't be used for sensitive operations. API keys are not
 * checked, because they can't reauthenticate.
 * @throws ReauthenticationRequired (401) if the last authentication was more than ten minutes ago
 */
export function assertRecentlyAuthenticated({ session }: RequestContext, now: Date): void {
  if (session && recentUntil(session.authenticatedAt) <= now)
    throw new ReauthenticationRequired(RECENT_SECONDS, { signInCounts: true });
}

/**
 * Asserts that the user has reauthenticated recently. Unlike in `assertRecentlyAuthenticated`, the sign-in does not count.
 * @throws ReauthenticationRequired (401) if the user has not reauthenticated in the last ten minutes
 */
export function assertRecentlyConfirmed({ authenticatedAt, createdAt }: RequestSession, now: Date): void {
  if (authenticatedAt <= createdAt || recentUntil(authenticatedAt) <= now)
    throw new ReauthenticationRequired(RECENT_SECONDS, { signInCounts: false });
}

/**
 * Asserts that the caller can assign a role or make it the default role. Roles that can change something require a recent authentication.
 * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
 */
export function assertRoleDelegable(
  ctx: RequestContext,
  organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>,
  { name, permissions }: { readonly name: string; readonly permissions: readonly string[] },
  now: Date,
): void {
  assertDelegable(ctx.caller, organization, `The role "${name}"`, permissions);
  if (permissions.some(changesSomething)) assertRecentlyAuthenticated(ctx, now);
}
