import { ACCESS_TOKEN_LIFETIME_MS } from '#identity/session-access';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const REFRESH_TOKEN_SECONDS = 30 * DAY_SECONDS;
const LONGEST_REFRESH_SECONDS = 365 * DAY_SECONDS;

/** The lifetime of JWTs, which no suspension can end. */
export const JWT_SECONDS = ACCESS_TOKEN_LIFETIME_MS / 1_000;
/** The lifetime of tokens that this service looks up at each use: those for its API and for the userinfo endpoint. */
export const OWN_API_TOKEN_SECONDS = HOUR_SECONDS;
/** The time in which a user must answer the questions of an authorization request. */
export const INTERACTION_SECONDS = HOUR_SECONDS;

/** The time in which a user must enter and answer the code of a device. */
export const DEVICE_CODE_SECONDS = 600;

interface Lifetime {
  readonly resourceServer?: { readonly accessTokenTTL?: number };
  totalLifetime?(): number;
}

const accessTokenSeconds = (_ctx: unknown, { resourceServer }: Lifetime): number =>
  resourceServer?.accessTokenTTL ?? OWN_API_TOKEN_SECONDS;

/** Lifetimes by kind, in seconds. A refresh token that is not used for 30 days ends, and each sign-in after a year. */
export const LIFETIMES = {
  AuthorizationCode: 60,
  DeviceCode: DEVICE_CODE_SECONDS,
  PushedAuthorizationRequest: 60,
  IdToken: HOUR_SECONDS,
  Interaction: INTERACTION_SECONDS,
  Session: DAY_SECONDS,
  Grant: DAY_SECONDS,
  AccessToken: accessTokenSeconds,
  ClientCredentials: accessTokenSeconds,
  RefreshToken: (_ctx: unknown, token: Lifetime): number =>
    Math.max(1, Math.min(REFRESH_TOKEN_SECONDS, LONGEST_REFRESH_SECONDS - (token.totalLifetime?.() ?? 0))),
};
