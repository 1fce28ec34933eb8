import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';

/** The labels of COSE keys (RFC 9053) and of their parameters. */
const KEY_TYPE = 1;
const ALGORITHM = 3;
const CURVE = -1;
const X = -2;
const Y = -3;
const MODULUS = -1;
const EXPONENT = -2;

/** The curves of elliptic keys and their algorithms. */
const CURVES: ReadonlyMap<unknown, { readonly crv: string; readonly algorithm: number }> = new Map([
  [1, { crv: 'P-256', algorithm: -7 }],
  [2, { crv: 'P-384', algorithm: -35 }],
  [3, { crv: 'P-521', algorithm: -36 }],
]);
const RSA_ALGORITHMS: ReadonlySet<unknown> = new Set([-257, -258, -259]);
const MIN_MODULUS_BYTES = 256;
const MAX_MODULUS_BYTES = 512;

/** Returns whether bytes are a COSE key with which signatures of a passkey can be verified: ES256, ES384, ES512, EdDSA or RSA. */
export async function isPublicKey(bytes: Buffer): Promise<boolean> {
  // Imports the library at the first use, because the import would slow down the start.
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  try {
    const key: unknown = decodeCredentialPublicKey(Uint8Array.from(bytes));
    if (!(key instanceof Map)) return false;
    const jwk = jwkOf(key);
    if (!jwk) return false;
    createPublicKey({ key: jwk, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function jwkOf(key: ReadonlyMap<unknown, unknown>): JsonWebKeyInput['key'] | undefined {
  const text = (label: number): string | undefined => {
    const value = key.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : undefined;
  };
  const [algorithm, curve, x, y] = [key.get(ALGORITHM), CURVES.get(key.get(CURVE)), text(X), text(Y)];
  switch (key.get(KEY_TYPE)) {
    case 1:
      return algorithm === -8 && key.get(CURVE) === 6 && x !== undefined ? { kty: 'OKP', crv: 'Ed25519', x } : undefined;
    case 2:
      return curve?.algorithm === algorithm && curve && x !== undefined && y !== undefined
        ? { kty: 'EC', crv: curve.crv, x, y }
        : undefined;
    case 3: {
      const [n, e] = [text(MODULUS), text(EXPONENT)];
      const bytes = Buffer.from(n ?? '', 'base64url').length;
      const isSized = bytes >= MIN_MODULUS_BYTES && bytes <= MAX_MODULUS_BYTES;
      return RSA_ALGORITHMS.has(algorithm) && isSized && n !== undefined && e !== undefined ? { kty: 'RSA', n, e } : undefined;
    }
    default:
      return undefined;
  }
}
