import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const RANDOM_CHARACTERS = 43; // 62^43 > 2^256
const CHECKSUM_CHARACTERS = 6; // 62^6 > 2^32
const PREFIX_CHARACTERS = 6; // of the random part: tells keys apart and leaves 220 bits unknown
const LONGEST_KEY = 128;
const FORM = /^([a-z][a-z0-9-]*)_sk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** What may be kept and shown of an API key beside its hash. */
export interface ApiKeyParts {
  readonly serviceName: string;
  /** Its beginning, such as `service_sk_4fK2aQ`. */
  readonly prefix: string;
  readonly last4: string;
}

export interface GeneratedApiKey extends ApiKeyParts {
  /** The key itself: shown once, stored nowhere. */
  readonly key: string;
}

/** Makes an API key `<serviceName>_sk_<256 random bits><CRC32 of all before>`, the latter two in base62. */
export function generateApiKey(serviceName: string): GeneratedApiKey {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_CHARACTERS);
  const unchecked = `${serviceName}_sk_${random}`;
  const key = unchecked + checksum(unchecked);
  return { key, ...shownParts(serviceName, key) };
}

/**
 * Reads an API key's form and checksum, so that mistyped keys and scanners' guesses cost no look-up.
 * Says nothing about whether the key exists. Undefined if it is none; a key that the operator chose
 * (`PLATFORM_API_KEY`) need not have this form.
 */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  if (text.length > LONGEST_KEY) return undefined;
  const [, serviceName, , given] = FORM.exec(text) ?? [];
  if (serviceName === undefined || given !== checksum(text.slice(0, -CHECKSUM_CHARACTERS))) return undefined;
  return shownParts(serviceName, text);
}

function shownParts(serviceName: string, key: string): ApiKeyParts {
  return { serviceName, prefix: key.slice(0, `${serviceName}_sk_`.length + PREFIX_CHARACTERS), last4: key.slice(-4) };
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS);
}

function base62(number: bigint, length: number): string {
  let digits = '';
  for (let rest = number; rest > 0n; rest /= 62n) digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  return digits.padStart(length, '0');
}
