import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';

// What APIs must accept and refuse, for the helpers in all languages.

export interface ProofCase {
  readonly name: string;
  readonly proof: string;
  readonly method: string;
  readonly url: string;
  readonly accessToken: string;
  readonly jkt: string;
  /** `ok`, or the code of the error. */
  readonly expected: string;
}

export interface StepUpCase {
  readonly name: string;
  readonly claims: { readonly acr?: string; readonly auth_time?: number };
  readonly acrValues: readonly string[];
  readonly maxAgeSeconds: number | null;
  readonly expected: string | null;
}

const URL = 'https://api.example.com/invoices';
const TOKEN = 'an access token';
const ATH = createHash('sha256').update(TOKEN).digest('base64url');
const now = (): number => Math.floor(Date.now() / 1_000);

interface Key {
  readonly alg: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  readonly jwk: JWK;
  readonly jkt: string;
}

async function keyFor(alg: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) };
}

const proofOf = ({ alg, privateKey, jwk }: Key, claims: object = {}, header: object = {}): Promise<string> =>
  new SignJWT({ htm: 'POST', htu: URL, ath: ATH, jti: randomUUID(), iat: now(), ...claims })
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header })
    .sign(privateKey);

/** The last case repeats the proof of the first. */
export async function proofCases(): Promise<ProofCase[]> {
  const [key, other] = [await keyFor('ES256'), await keyFor('ES256')];
  const of = (name: string, proof: string, expected: string, jkt = key.jkt): ProofCase => {
    return { name, proof, method: 'POST', url: `${URL}?page=2`, accessToken: TOKEN, jkt, expected };
  };
  const privateJwk = await exportJWK(key.privateKey);
  const first = of('a new proof', await proofOf(key), 'ok');
  const others = ['RS256', 'PS256', 'Ed25519'].map(async (alg) => {
    const each = await keyFor(alg);
    return of(`a proof with ${alg}`, await proofOf(each), 'ok', each.jkt);
  });
  return [
    first,
    ...(await Promise.all(others)),
    of('an address with a query', await proofOf(key, { htu: `${URL}?page=1` }), 'ok'),
    of('no proof', '', 'proof_missing'),
    of('another method', await proofOf(key, { htm: 'GET' }), 'proof_mismatch'),
    of('another address', await proofOf(key, { htu: `${URL}/1` }), 'proof_mismatch'),
    of('an address that is none', await proofOf(key, { htu: 'invoices' }), 'proof_mismatch'),
    of('another token', await proofOf(key, { ath: 'x' }), 'proof_mismatch'),
    of('another key', await proofOf(other), 'proof_mismatch'),
    of('an old proof', await proofOf(key, { iat: now() - 90 }), 'proof_expired'),
    of('a proof from the future', await proofOf(key, { iat: now() + 90 }), 'proof_expired'),
    of('no time', await proofOf(key, { iat: undefined }), 'proof_expired'),
    of('no id', await proofOf(key, { jti: undefined }), 'proof_invalid'),
    of('a signature of another key', await proofOf(other, {}, { jwk: key.jwk }), 'proof_invalid'),
    of('a private key in the header', await proofOf(key, {}, { jwk: privateJwk }), 'proof_invalid'),
    of('another type', await proofOf(key, {}, { typ: 'JWT' }), 'proof_invalid'),
    of('no signature', new UnsecuredJWT({ jti: 'x' }).encode(), 'proof_invalid'),
    of('no JWT', 'x', 'proof_invalid'),
    { ...first, name: 'the first proof again', expected: 'proof_reused' },
  ];
}

const CHALLENGE = 'Bearer error="insufficient_user_authentication", error_description="A newer or stronger sign-in is required"';

export const stepUpCases = (): StepUpCase[] => [
  { name: 'no requirement', claims: {}, acrValues: [], maxAgeSeconds: null, expected: null },
  { name: 'enough factors', claims: { acr: 'aal2' }, acrValues: ['aal1'], maxAgeSeconds: null, expected: null },
  { name: 'a recent sign-in', claims: { auth_time: now() - 60 }, acrValues: [], maxAgeSeconds: 300, expected: null },
  {
    name: 'too few factors',
    claims: { acr: 'aal1', auth_time: now() },
    acrValues: ['aal2'],
    maxAgeSeconds: null,
    expected: `${CHALLENGE}, acr_values="aal2"`,
  },
  {
    name: 'an old sign-in',
    claims: { acr: 'aal2', auth_time: now() - 400 },
    acrValues: ['aal2'],
    maxAgeSeconds: 300,
    expected: `${CHALLENGE}, acr_values="aal2", max_age="300"`,
  },
  { name: 'an unknown sign-in', claims: {}, acrValues: [], maxAgeSeconds: 300, expected: `${CHALLENGE}, max_age="300"` },
];
