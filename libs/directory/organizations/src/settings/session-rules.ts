import { hasSecondFactor, isInNetworks, type RequestOrigin, type RequestSession, type SessionRules } from '#platform/common';
import type { OrganizationSettings } from './settings.js';

/** A rule that a session breaks: the network, the second factor, or the time since the last confirmation or activity. */
type UnmetRule = 'network' | 'mfa' | 'time';

/**
 * Returns the rules of a session that several organizations accept. Each organization can only make the rules stricter. If organizations
 * require a second factor, all of them must allow the method.
 */
export function strictestSettings(all: readonly OrganizationSettings[]): SessionRules {
  const requiring = all.filter(({ requireMfa }) => requireMfa);
  const [first, ...others] = requiring.length > 0 ? requiring : all;
  return {
    requireMfa: requiring.length > 0,
    mfaMethods: (first?.mfaMethods ?? []).filter((method) => others.every(({ mfaMethods }) => mfaMethods.includes(method))),
    allowedNetworks: all.map(({ allowedNetworks }) => allowedNetworks).filter((networks) => networks.length > 0),
    sessionTimeout: Math.min(...all.map(({ sessionTimeout }) => sessionTimeout)),
    sessionLifetime: Math.min(...all.map(({ sessionLifetime }) => sessionLifetime)),
  };
}

/** Returns whether the networks of all organizations contain the address of a client. */
export const isInAllNetworks = (origin: RequestOrigin, { allowedNetworks }: Pick<SessionRules, 'allowedNetworks'>): boolean =>
  allowedNetworks.every((networks) => isInNetworks(origin, networks));

/** Returns whether the rules require a second factor that the session does not have. */
export const lacksSecondFactor = (
  { requireMfa, mfaMethods }: Pick<SessionRules, 'requireMfa' | 'mfaMethods'>,
  { authenticationMethods }: Pick<RequestSession, 'authenticationMethods'>,
): boolean => requireMfa && !hasSecondFactor(authenticationMethods, mfaMethods);

/**
 * Returns whether a session is too old or was idle for too long for an organization. The times start again when the user confirms the
 * identity, because the session continues in other organizations.
 */
export const isTooOld = (
  { sessionTimeout, sessionLifetime }: Pick<SessionRules, 'sessionTimeout' | 'sessionLifetime'>,
  { authenticatedAt, longestIdleSeconds }: Pick<RequestSession, 'authenticatedAt' | 'longestIdleSeconds'>,
  now: Date,
): boolean => longestIdleSeconds >= sessionTimeout || now.getTime() - authenticatedAt.getTime() >= sessionLifetime * 1_000;

/** Returns a rule of an organization that a session breaks, or undefined if the organization accepts the session. */
export function findUnmetRule(
  rules: SessionRules,
  session: RequestSession,
  origin: RequestOrigin,
  now: Date,
): UnmetRule | undefined {
  if (!isInAllNetworks(origin, rules) || !isInAllNetworks(origin, session.rules)) return 'network';
  if (lacksSecondFactor(rules, session)) return 'mfa';
  return isTooOld(rules, session, now) ? 'time' : undefined;
}
