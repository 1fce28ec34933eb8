/** Why a DPoP proof is refused. */
export type DpopProblem = 'proof_missing' | 'proof_invalid' | 'proof_expired' | 'proof_mismatch' | 'proof_reused';

/** The request does not prove that the client has the key of the access token. Respond with 401 and `dpopChallenge()`. */
export class DpopProofError extends Error {
  override readonly name = 'DpopProofError';
  constructor(
    readonly code: DpopProblem,
    message: string,
  ) {
    super(message);
  }
}

/** A request with an access token that is bound to a key: the token has the claim `cnf.jkt`. */
export interface DpopRequest {
  /** The header `DPoP`. */
  readonly proof: string | null | undefined;
  readonly method: string;
  /** The address as the client sees it, not behind a proxy. The query makes no difference. */
  readonly url: string;
  readonly accessToken: string;
  /** The claim `cnf.jkt` of the access token. */
  readonly jkt: string;
}

export interface DpopOptions {
  /** By how many seconds the clock of the client can differ (60). */
  readonly toleranceSeconds?: number;
  /** Stores the id of a proof until a time in seconds since 1970. Resolves to false if it is stored already. By default, in this process only. */
  readonly markUsed?: (id: string, until: number) => boolean | Promise<boolean>;
}

/** The parameters of Web Crypto for an algorithm. */
interface KeyParameters {
  readonly name: string;
  readonly namedCurve?: string;
  readonly hash?: string;
  readonly saltLength?: number;
}

interface VerificationKey {
  readonly import: KeyParameters;
  readonly verify: KeyParameters;
  readonly kty: string;
}

const ED25519: VerificationKey = { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' }, kty: 'OKP' };
const SHA_256 = 'SHA-256';
const ALGORITHMS: Readonly<Record<string, VerificationKey>> = {
  ES256: { import: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: SHA_256 }, kty: 'EC' },
  RS256: { import: { name: 'RSASSA-PKCS1-v1_5', hash: SHA_256 }, verify: { name: 'RSASSA-PKCS1-v1_5' }, kty: 'RSA' },
  PS256: { import: { name: 'RSA-PSS', hash: SHA_256 }, verify: { name: 'RSA-PSS', saltLength: 32 }, kty: 'RSA' },
  Ed25519: ED25519,
  EdDSA: ED25519,
};

/** The members of a key that make its thumbprint, in their order (RFC 7638). They are all that is read of it. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  RSA: ['e', 'kty', 'n'],
  OKP: ['crv', 'kty', 'x'],
};

const TOLERANCE_SECONDS = 60;

/**
 * Checks that a client has the key to which its access token is bound (DPoP, RFC 9449). Verify the access token first. If it has the claim
 * `cnf.jkt`, accept it only as `Authorization: DPoP`, with such a proof.
 * @throws DpopProofError
 */
export async function verifyDpopProof(request: DpopRequest, options: DpopOptions = {}): Promise<void> {
  const { toleranceSeconds = TOLERANCE_SECONDS, markUsed = markUsedHere } = options;
  if (!request.proof) throw new DpopProofError('proof_missing', 'The header DPoP is missing.');
  const { claims, jkt } = await verifiedProof(request.proof);
  const now = Date.now() / 1_000;
  if (typeof claims['iat'] !== 'number' || Math.abs(now - claims['iat']) > toleranceSeconds)
    throw new DpopProofError('proof_expired', `The proof is more than ${toleranceSeconds} seconds from now.`);
  const expected = {
    htm: request.method,
    htu: withoutQuery(request.url),
    ath: base64url(await crypto.subtle.digest(SHA_256, new TextEncoder().encode(request.accessToken))),
  };
  for (const [name, value] of Object.entries({ ...expected, jkt: request.jkt })) {
    const found = name === 'jkt' ? jkt : name === 'htu' ? withoutQuery(claims['htu']) : claims[name];
    if (found !== value) throw new DpopProofError('proof_mismatch', `The proof is for another request or key (${name}).`);
  }
  const { jti } = claims;
  if (typeof jti !== 'string' || jti === '') throw new DpopProofError('proof_invalid', 'The proof has no id (jti).');
  if (!(await markUsed(`${jkt}:${jti}`, now + 2 * toleranceSeconds)))
    throw new DpopProofError('proof_reused', 'The proof was used before.');
}

/** Returns the header `WWW-Authenticate` of a response to a request without a valid proof. */
export const dpopChallenge = (): string => `DPoP error="invalid_dpop_proof", algs="${Object.keys(ALGORITHMS).join(' ')}"`;

/** How recent and strong a sign-in must be. */
export interface SignInRequirement {
  /** Acceptable classes: `aal1`, `aal2`. A sign-in with a second factor satisfies both. */
  readonly acrValues?: readonly string[];
  readonly maxAgeSeconds?: number;
}

/**
 * Returns the header `WWW-Authenticate` of a 401 response if the sign-in behind an access token is too old or too weak for an operation
 * (RFC 9470), or undefined. The client then sends the user to the authorization endpoint with `acr_values` and `max_age`.
 */
export function stepUpChallenge(
  claims: { readonly acr?: unknown; readonly auth_time?: unknown },
  { acrValues = [], maxAgeSeconds }: SignInRequirement,
  scheme: 'Bearer' | 'DPoP' = 'Bearer',
): string | undefined {
  const { acr, auth_time: signedInAt } = claims;
  const isStrong = acrValues.length === 0 || acrValues.some((value) => value === acr || (value === 'aal1' && acr === 'aal2'));
  const age = typeof signedInAt === 'number' ? Date.now() / 1_000 - signedInAt : Infinity;
  if (isStrong && (maxAgeSeconds === undefined || age <= maxAgeSeconds)) return undefined;
  const parameters = [
    'error="insufficient_user_authentication"',
    'error_description="A newer or stronger sign-in is required"',
    ...(acrValues.length > 0 ? [`acr_values="${acrValues.join(' ')}"`] : []),
    ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
  ];
  return `${scheme} ${parameters.join(', ')}`;
}

async function verifiedProof(proof: string): Promise<{ claims: Record<string, unknown>; jkt: string }> {
  const invalid = new DpopProofError('proof_invalid', 'The proof is no JWT that is signed with the key in its header.');
  const [head = '', body = '', signature = '', ...rest] = proof.split('.');
  try {
    const header = jsonOf(head);
    const { kty, ...key } = header['jwk'] as Record<string, unknown>;
    const algorithm = Object.hasOwn(ALGORITHMS, String(header['alg'])) ? ALGORITHMS[String(header['alg'])] : undefined;
    if (rest.length > 0 || header['typ'] !== 'dpop+jwt' || !algorithm || algorithm.kty !== kty || 'd' in key) throw invalid;
    const jwk = Object.fromEntries(MEMBERS[algorithm.kty]!.map((name) => [name, name === 'kty' ? kty : String(key[name])]));
    const publicKey = await crypto.subtle.importKey('jwk', jwk, algorithm.import, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${body}`);
    if (!(await crypto.subtle.verify(algorithm.verify, publicKey, bytesOf(signature), signed))) throw invalid;
    const thumbprint = await crypto.subtle.digest(SHA_256, new TextEncoder().encode(JSON.stringify(jwk)));
    return { claims: jsonOf(body), jkt: base64url(thumbprint) };
  } catch {
    throw invalid;
  }
}

function withoutQuery(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  return Object.assign(new URL(address), { search: '', hash: '' }).href;
}

const usedUntil = new Map<string, number>();

function markUsedHere(id: string, until: number): boolean {
  const now = Date.now() / 1_000;
  for (const [each, end] of usedUntil) {
    // Ids are stored in the order of their times, unless tolerances differ.
    if (end > now) break;
    usedUntil.delete(each);
  }
  if (usedUntil.has(id)) return false;
  usedUntil.set(id, until);
  return true;
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const jsonOf = (text: string): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(bytesOf(text))) as Record<string, unknown>;

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
