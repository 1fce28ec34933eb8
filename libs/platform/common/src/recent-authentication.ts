import { DomainError, ReauthenticationRequired } from './domain-error.js';
import type { RequestContext, RequestSession } from './request-context.js';

const RECENT_SECONDS = 600;

/** Returns the text about recent authentication for the description of an operation. */
const ruleFor = (session: string, exemptCredential: string): string =>
  `If you use a session${session}, you must have signed in or confirmed your identity in the last 10 minutes; otherwise the response is 401 \`reauthentication_required\`. Requests with ${exemptCredential} are exempt.`;

/** The description for operations that call `assertRecentlyAuthenticated`. */
export const RECENT_SIGN_IN = ruleFor('', 'an API key');

/** The description for operations that are sensitive only for some requests. The preceding sentence must name these requests. */
export const RECENT_SIGN_IN_IF_SENSITIVE = ruleFor(' for a sensitive operation', 'an API key');

/** The description for operations that require reauthentication. */
export const CONFIRMATION =
  'If your account has a password, you must have confirmed your identity in the last 10 minutes (`POST /v1/auth/reauthentication`), even if you have just signed in. Without a password, a sign-in in the last 10 minutes is enough. Otherwise the response is 401 `reauthentication_required`. For older clients, the operation also accepts `currentPassword` in a JSON body instead.';

/** The description for operations that only users and platform keys can call. */
export const RECENT_SIGN_IN_OR_PLATFORM_KEY = ruleFor('', 'a platform key');

/** An OAuth client tries a sensitive operation for a user: 403. */
class SignInNeeded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super("An application can't do this operation for you. Sign in to this service yourself, or use an API key.");
  }
}

/** An impersonator tries an operation that only the user can do: 403. */
export class NotWhileImpersonating extends DomainError {
  readonly code = 'not_while_impersonating';
  readonly kind = 'forbidden';
  constructor() {
    super(
      "You are signed in as another user for support, and this operation is only for this user. It concerns the user's sign-in, credentials or account, or needs a recent sign-in. Do it with your own session, or ask the user.",
    );
  }
}

/** The sessions of requests that needed a recent authentication. Each request has its own object. */
const provenSessions = new WeakSet<RequestSession>();

/** Returns whether an operation with this context has required and found a recent authentication. */
export const hasRequiredRecentAuthentication = ({ session }: RequestContext): boolean =>
  session !== undefined && provenSessions.has(session);

export const recentUntil = (authenticatedAt: Date): Date => new Date(authenticatedAt.getTime() + RECENT_SECONDS * 1_000);

/**
 * Asserts that the last authentication was recent, so that an attacker can't use a stolen session for sensitive operations. API keys can't
 * reauthenticate, so they are not checked. OAuth clients and impersonators, who act for a user, can't do such operations.
 * @throws SignInNeeded, NotWhileImpersonating (403); ReauthenticationRequired (401) if the last authentication was more than ten minutes ago
 */
export function assertRecentlyAuthenticated({ session, delegation }: RequestContext, now: Date): void {
  if (delegation) throw new SignInNeeded();
  if (!session) return;
  if (session.impersonator) throw new NotWhileImpersonating();
  if (recentUntil(session.authenticatedAt) <= now) throw new ReauthenticationRequired(RECENT_SECONDS, { signInCounts: true });
  provenSessions.add(session);
}

/**
 * Asserts that the user has reauthenticated recently. The sign-in does not count.
 * @throws NotWhileImpersonating (403); ReauthenticationRequired (401) if the last reauthentication was more than ten minutes ago
 */
export function assertRecentlyConfirmed(session: RequestSession, now: Date): void {
  const { authenticatedAt, createdAt, impersonator } = session;
  if (impersonator) throw new NotWhileImpersonating();
  if (authenticatedAt <= createdAt || recentUntil(authenticatedAt) <= now)
    throw new ReauthenticationRequired(RECENT_SECONDS, { signInCounts: false });
  provenSessions.add(session);
}

/**
 * Asserts that an impersonator doesn't change the access of the impersonated user, however the request names the user.
 * @throws NotWhileImpersonating (403)
 */
export function assertNotImpersonated(
  { session, caller }: Pick<RequestContext, 'session' | 'caller'>,
  userIds: readonly unknown[],
): void {
  if (session?.impersonator && caller.id !== undefined && userIds.includes(caller.id)) throw new NotWhileImpersonating();
}
