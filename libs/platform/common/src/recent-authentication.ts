import { assertGrantable, changesSomething } from './access.js';
import { ReauthenticationRequired } from './domain-error.js';
import type { OrganizationScope, RequestContext, RequestSession } from './request-context.js';

/** For how long a proof of who the user is counts for what could be misused most. */
const RECENT_SECONDS = 600;

/** The rule as the descriptions of operations say it: the same sentences everywhere. */
const ruleFor = (session: string, exemptCredential: string): string =>
  `If you use a session${session}, you must have signed in or confirmed your identity in the last 10 minutes; otherwise the response is 401 \`reauthentication_required\`. Requests with ${exemptCredential} are exempt.`;

/** For operations that call `assertRecentlyAuthenticated`. */
export const RECENT_SIGN_IN = ruleFor('', 'an API key');

/** For operations that only some requests make sensitive; the sentence before says which. */
export const RECENT_SIGN_IN_IF_SENSITIVE = ruleFor(' for a sensitive operation', 'an API key');

/** For operations that call `ReauthenticationService.demandConfirmation`. */
export const CONFIRMATION =
  'If your account has a password, you must have confirmed your identity in the last 10 minutes (`POST /v1/auth/reauthentication`), even if you have just signed in. Without a password, a sign-in in the last 10 minutes is enough. Otherwise the response is 401 `reauthentication_required`. For older clients, the operation also accepts `currentPassword` in a JSON body instead.';

/** For operations that API keys can't call. */
export const RECENT_SIGN_IN_OR_PLATFORM_KEY = ruleFor('', 'a platform key');

/** Until when a proof counts as recent. */
export const recentUntil = (authenticatedAt: Date): Date => new Date(authenticatedAt.getTime() + RECENT_SECONDS * 1_000);

/**
 * Call before what a stolen session could be misused for most. Only sessions of users are asked: API keys have no person behind them.
 * @throws ReauthenticationRequired (401) when the user proved who they are longer ago than ten minutes
 */
export function assertRecentlyAuthenticated({ session }: RequestContext, now: Date): void {
  if (session && recentUntil(session.authenticatedAt) <= now)
    throw new ReauthenticationRequired(RECENT_SECONDS, { signInCounts: true });
}

/**
 * As `assertRecentlyAuthenticated`, but the sign-in itself does not count.
 * @throws ReauthenticationRequired (401) when the user has not confirmed who they are in the last ten minutes
 */
export function assertRecentlyConfirmed({ authenticatedAt, createdAt }: RequestSession, now: Date): void {
  if (authenticatedAt <= createdAt || recentUntil(authenticatedAt) <= now)
    throw new ReauthenticationRequired(RECENT_SECONDS, { signInCounts: false });
}

/**
 * Call before assigning a role, also as the default role. A role that can change something in this service needs a recent proof, too.
 * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
 */
export function assertRoleGrantable(
  ctx: RequestContext,
  organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>,
  { name, permissions }: { readonly name: string; readonly permissions: readonly string[] },
  now: Date,
): void {
  assertGrantable(ctx.caller, organization, `The role "${name}"`, permissions);
  if (permissions.some(changesSomething)) assertRecentlyAuthenticated(ctx, now);
}
