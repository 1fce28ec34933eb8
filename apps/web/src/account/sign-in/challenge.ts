import { ApiProblem } from '../../api/problem';

/** By what a second factor can be proven, the strongest first. */
export const FACTOR_METHODS = ['passkey', 'totp', 'email', 'sms', 'recovery_code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** A second factor that is asked for. */
export interface Challenge {
  readonly token: string;
  readonly methods: readonly FactorMethod[];
  /** Milliseconds since 1970; undefined when this device's clock is too wrong to tell. */
  readonly endsAt: number | undefined;
}

const PAGE = '/account/sign-in';
const LONGEST_LIFETIME_MS = 15 * 60_000;

/** Null without a token, or with nothing that it could be met by. */
export function challengeOf(
  token: string | undefined,
  methods: readonly string[],
  expiresAt: string | undefined,
): Challenge | null {
  const offered = FACTOR_METHODS.filter((method) => methods.includes(method));
  if (!token || offered.length === 0) return null;
  const endsAt = Date.parse(expiresAt ?? '');
  const leftMs = endsAt - Date.now();
  return { token, methods: offered, endsAt: leftMs > 0 && leftMs <= LONGEST_LIFETIME_MS ? endsAt : undefined };
}

/** Until the challenge can't be met any more; undefined when nobody knows. */
export const secondsLeftOf = ({ endsAt }: Challenge): number | undefined =>
  endsAt === undefined ? undefined : Math.max(0, (endsAt - Date.now()) / 1_000);

/** A challenge that is over leads back to the first step; undefined then. @throws any other error */
export function leaveWhenOver(error: unknown, onOver: (reason: unknown) => void): undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'mfa_challenge_invalid') throw error;
  onOver(error);
}

let returned = takeChallenge();

/** The challenge that a sign-in with an identity provider led back with, as long as nobody gave it up. */
export const returnedChallenge = (): Challenge | null => returned;

/** Gives up the challenge that was led back with. */
export function forgetReturnedChallenge(): void {
  returned = null;
}

/**
 * It stands in the fragment, which no server sees, and is taken out of the address bar before anything else happens; for which organization
 * it is and where to go on afterwards goes into the search, as of any sign-in.
 */
function takeChallenge(): Challenge | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const token = fragment.get('challenge');
  if (token === null || window.location.pathname !== PAGE) return null;
  const back = new URL(fragment.get('returnTo') ?? '', window.location.origin);
  const returnTo = back.pathname === PAGE ? back.searchParams.get('returnTo') : back.pathname + back.search;
  const search = new URLSearchParams({ organization: fragment.get('organization') ?? '', ...(returnTo ? { returnTo } : {}) });
  window.history.replaceState(window.history.state, '', `${PAGE}?${search}`);
  return challengeOf(token, (fragment.get('methods') ?? '').split(','), undefined);
}
