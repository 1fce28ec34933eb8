import { ApiProblem } from '../../api/problem';

/** The MFA methods, the strongest first. */
export const FACTOR_METHODS = ['passkey', 'totp', 'email', 'sms', 'recovery_code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

export interface Challenge {
  readonly token: string;
  readonly methods: readonly FactorMethod[];
  /** The expiry as Unix time in milliseconds; undefined when the clock of the device is wrong. */
  readonly endsAt: number | undefined;
}

const PAGE = '/account/sign-in';
const LIFETIME_MAX_MS = 15 * 60_000;

export function toChallenge(
  token: string | undefined,
  methods: readonly string[],
  expiresAt: string | undefined,
): Challenge | null {
  const offered = FACTOR_METHODS.filter((method) => methods.includes(method));
  if (!token || offered.length === 0) return null;
  const endsAt = Date.parse(expiresAt ?? '');
  const leftMs = endsAt - Date.now();
  return { token, methods: offered, endsAt: leftMs > 0 && leftMs <= LIFETIME_MAX_MS ? endsAt : undefined };
}

/** Returns the seconds until the challenge expires, or undefined when the expiry is unknown. */
export const secondsUntilExpiry = ({ endsAt }: Challenge): number | undefined =>
  endsAt === undefined ? undefined : Math.max(0, (endsAt - Date.now()) / 1_000);

/** Calls `onExpired` if the error is about an expired challenge. @throws every other error */
export function handleExpiredChallenge(error: unknown, onExpired: (reason: unknown) => void): undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'mfa_challenge_invalid') throw error;
  onExpired(error);
}

let challenge = readChallenge();

/** Returns the challenge that an identity provider or the link of an email led to, or null after `setChallenge(null)`. */
export const redirectChallenge = (): Challenge | null => challenge;

export function setChallenge(next: Challenge | null): void {
  challenge = next;
}

/**
 * Reads the challenge from the fragment, which browsers do not send to servers. Removes the challenge from the address bar and
 * moves the organization and the return URL to the query.
 */
function readChallenge(): Challenge | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const token = fragment.get('challenge');
  if (token === null || window.location.pathname !== PAGE) return null;
  const target = new URL(fragment.get('returnTo') ?? '', window.location.origin);
  const returnTo = target.pathname === PAGE ? target.searchParams.get('returnTo') : target.pathname + target.search;
  const search = new URLSearchParams({ organization: fragment.get('organization') ?? '', ...(returnTo ? { returnTo } : {}) });
  window.history.replaceState(window.history.state, '', `${PAGE}?${search}`);
  return toChallenge(token, (fragment.get('methods') ?? '').split(','), undefined);
}
