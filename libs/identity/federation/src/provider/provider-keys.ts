import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JWK } from 'jose';

/** All asymmetric algorithms of RFC 7518 and RFC 9864. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));
ALGORITHMS.push('EdDSA', 'Ed25519');

const KEYS_TRIED_MAX = 10;

/** The JWK Set of the provider could not be loaded. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('The keys of the provider could not be loaded.', { cause });
  }
}

/** The published keys of a provider. Loads the JWK Set once, and again if no key matches, because the provider can have replaced its keys. */
export class ProviderKeys {
  private loaded: Promise<JWK[]> | undefined;

  constructor(private readonly load: () => Promise<unknown>) {}

  /** Verifies the signature of a token and returns the payload. @throws Error if no published key signed the token, KeysUnavailable */
  async verify(token: string): Promise<Uint8Array> {
    const cached = this.loaded;
    try {
      return await verifyWithOneOf(await this.keys(), token);
    } catch (error) {
      if (cached === undefined || error instanceof KeysUnavailable) throw error;
      if (this.loaded === cached) this.loaded = undefined;
      return verifyWithOneOf(await this.keys(), token);
    }
  }

  private keys(): Promise<JWK[]> {
    if (this.loaded) return this.loaded;
    const loading = this.load().then(keysIn);
    this.loaded = loading.catch((error: unknown) => {
      this.loaded = undefined;
      throw new KeysUnavailable(error);
    });
    return this.loaded;
  }
}

/** Returns the keys of a JWK Set (RFC 7517, section 5). @throws Error for all other values */
function keysIn(document: unknown): JWK[] {
  const { keys } = (document ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('The response is not a JWK Set.');
  return keys.filter((key): key is JWK => typeof key === 'object' && key !== null);
}

/**
 * Tries the keys that can have signed the token, because a set can have a key twice, several keys with the same ID, or keys without an ID.
 * Skips keys of other types and invalid keys. @throws Error if none of them has signed the token
 */
async function verifyWithOneOf(keys: readonly JWK[], token: string): Promise<Uint8Array> {
  const { kid, alg } = decodeProtectedHeader(token);
  const matching = keys.filter((key) => kid !== undefined && key.kid === kid);
  const possible = keys.filter((key) => kid === undefined || typeof key.kid !== 'string');
  let failure: unknown = new Error('The provider has published no key that can have signed the token.');
  for (const key of [...matching, ...possible].slice(0, KEYS_TRIED_MAX)) {
    try {
      const keySet = createLocalJWKSet({ keys: [key] });
      // Without `kid`, which a single key need not have.
      return (await compactVerify(token, () => keySet({ alg: String(alg) }), { algorithms: ALGORITHMS })).payload;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
