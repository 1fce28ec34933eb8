import { decodeJwt, type JWTPayload } from 'jose';
import { isSubject } from '../provider/identity-claims.js';

/** What an assertion says about a user and a client. */
export interface AssertionClaims {
  readonly subject: string;
  readonly id: string;
  /** In seconds since 1970. */
  readonly issuedAt: number;
  /** From then on, the assertion is refused, in seconds since 1970. */
  readonly usableUntil: number;
  readonly methods: readonly string[];
  /** The API and the scopes to which the provider limits the client. */
  readonly resource?: string;
  readonly scope?: string;
  /** The thumbprint of the key that the client must have (DPoP). */
  readonly key?: string;
}

interface Expected {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly clientId: string;
  readonly now: Date;
}

/** The type of an Identity Assertion JWT Authorization Grant. */
const ID_JAG = 'oauth-id-jag+jwt';
/** Other types are for other purposes (RFC 8725, 3.11). */
const TYPES = new Set([undefined, 'jwt', ID_JAG]);
const LIFETIME_MAX_SECONDS = 3_600;
const CLOCK_TOLERANCE_SECONDS = 30;
const ID_MAX_LENGTH = 255;

/** Returns the issuer that a token names, which nobody has verified. */
export function unverifiedIssuer(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).iss;
  } catch {
    return undefined;
  }
}

/** Reads the claims of an assertion whose signature is valid (RFC 7523, 3; ID-JAG, 4.4). @throws Error if one is missing or wrong */
export function readAssertion(
  type: string | undefined,
  claims: JWTPayload,
  { issuer, audiences, clientId, now }: Expected,
): AssertionClaims {
  const { iss, sub, aud, exp, iat, nbf = 0, jti, client_id: client, amr, resource, scope, cnf } = claims;
  const isIdJag = type?.toLowerCase() === ID_JAG;
  const seconds = now.getTime() / 1_000;
  // An ID-JAG names the authorization server, any other assertion its token endpoint or the server (RFC 7523, 3).
  const [audience, ...otherAudiences] = [aud ?? []].flat();
  assertThat('typ', TYPES.has(type?.toLowerCase()));
  assertThat('iss', iss === issuer);
  assertThat('aud', otherAudiences.length === 0 && (isIdJag ? audience === audiences[0] : audiences.includes(audience ?? '')));
  assertThat('client_id', client === clientId || (client === undefined && !isIdJag));
  assertThat('exp', isNumber(exp) && exp > seconds - CLOCK_TOLERANCE_SECONDS && exp < seconds + LIFETIME_MAX_SECONDS);
  assertThat('iat', isNumber(iat) && Math.max(iat, nbf) < seconds + CLOCK_TOLERANCE_SECONDS);
  assertThat('jti', isText(jti) && jti.length <= ID_MAX_LENGTH);
  assertThat('sub', isText(sub) && isSubject(sub));
  const [target, ...otherTargets] = [resource ?? []].flat() as unknown[];
  assertThat('resource', otherTargets.length === 0 && (target === undefined || isText(target)));
  assertThat('scope', scope === undefined || isText(scope));
  // A confirmation of any other kind can't be checked.
  const { jkt: key } = (cnf ?? {}) as { jkt?: unknown };
  assertThat('cnf', cnf === undefined || isText(key));
  return {
    subject: sub!,
    id: jti!,
    issuedAt: iat!,
    usableUntil: Math.ceil(exp!) + CLOCK_TOLERANCE_SECONDS,
    methods: Array.isArray(amr) ? amr.filter(isText) : [],
    ...(isText(target) ? { resource: target } : {}),
    ...(isText(scope) ? { scope } : {}),
    ...(isText(key) ? { key } : {}),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function assertThat(claim: string, holds: boolean): void {
  if (!holds) throw new Error(`The assertion has no valid ${claim}.`);
}
