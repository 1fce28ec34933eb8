/** The prefix of secrets of Standard Webhooks. The key follows in base64. */
const SECRET_PREFIX = 'whsec_';
/** Base64 as the reference library accepts it: padding may be missing, and fewer than 4 characters are rejected. */
const BASE64_KEY = /^(?=.{4})[A-Za-z0-9+/]+={0,2}$/;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

export type Bytes = Uint8Array<ArrayBuffer>;

/** Derived from the function, because Node.js and browsers name the type differently. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const encoder = new TextEncoder();

/** A secret, imported once for each of the two signature schemes. */
export class ImportedSecret {
  readonly #serviceKey: Promise<Key>;
  readonly #standardKey: Promise<Key>;

  constructor(secret: string) {
    this.#serviceKey = importKey(encoder.encode(secret));
    this.#standardKey = importKey(standardKey(secret));
  }

  /** Returns whether one of the signatures is valid for `<t>.<body>` (the header of the service). */
  async verifyServiceHeader(signatures: readonly Bytes[], timestamp: string, body: Bytes): Promise<boolean> {
    return isAnyValid(await this.#serviceKey, signatures, joined(`${timestamp}.`, body));
  }

  /** Returns whether one of the signatures is valid for `<id>.<timestamp>.<body>` (Standard Webhooks). */
  async verifyStandardHeader(signatures: readonly Bytes[], id: string, timestamp: string, body: Bytes): Promise<boolean> {
    return isAnyValid(await this.#standardKey, signatures, joined(`${id}.${timestamp}.`, body));
  }

  async signServiceHeader(timestamp: string, body: Bytes): Promise<Bytes> {
    return new Uint8Array(await crypto.subtle.sign('HMAC', await this.#serviceKey, joined(`${timestamp}.`, body)));
  }

  async signStandardHeader(id: string, timestamp: string, body: Bytes): Promise<Bytes> {
    return new Uint8Array(await crypto.subtle.sign('HMAC', await this.#standardKey, joined(`${id}.${timestamp}.`, body)));
  }
}

const importKey = (bytes: Bytes): Promise<Key> => crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);

/** Returns whether one of the signatures is valid, in constant time: checks every signature, even after a match. */
async function isAnyValid(key: Key, signatures: readonly Bytes[], signed: Bytes): Promise<boolean> {
  const results = await Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)));
  return results.includes(true);
}

function joined(prefix: string, body: Bytes): Bytes {
  const head = encoder.encode(prefix);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Decodes the key of a secret as the service does: ignores a last character that completes no byte. */
function standardKey(secret: string): Bytes {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  if (!BASE64_KEY.test(encoded)) return encoder.encode(secret);
  const digits = encoded.replace(/={0,2}$/, '');
  return fromBase64(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
}

export const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export const toBase64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes));

export const fromHex = (text: string): Bytes => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const bytesOf = (body: string | ArrayBuffer | Uint8Array): Bytes =>
  typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body as ArrayBuffer);
