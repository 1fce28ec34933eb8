import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const RANDOM_CHARACTERS = 43; // 62^43 > 2^256
const CHECKSUM_CHARACTERS = 6; // 62^6 > 2^32
const PREFIX_CHARACTERS = 6; // of the random part: identifies the key and leaves 220 bits unknown
const MAX_LENGTH = 128;
const FORMAT = /^([a-z][a-z0-9-]*)_sk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export interface ApiKeyParts {
  readonly serviceName: string;
  /** The beginning of the key, such as `service_sk_4fK2aQ`. */
  readonly prefix: string;
  readonly last4: string;
}

export interface GeneratedApiKey extends ApiKeyParts {
  /** The complete key. Displayed once, never stored. */
  readonly key: string;
}

/** Generates an API key `<serviceName>_sk_<256 random bits><CRC32 of everything before>`. The random bits and the CRC32 are in base62. */
export function generateApiKey(serviceName: string): GeneratedApiKey {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_CHARACTERS);
  const withoutChecksum = `${serviceName}_sk_${random}`;
  const key = withoutChecksum + checksum(withoutChecksum);
  return { key, ...partsOf(serviceName, key) };
}

/**
 * Parses an API key and checks its checksum. Mistyped and guessed keys therefore need no lookup. Returns undefined if the text has another
 * format. A key that the operator chose (`PLATFORM_API_KEY`) can have another format.
 */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, serviceName, , actualChecksum] = FORMAT.exec(text) ?? [];
  if (serviceName === undefined || actualChecksum !== checksum(text.slice(0, -CHECKSUM_CHARACTERS))) return undefined;
  return partsOf(serviceName, text);
}

function partsOf(serviceName: string, key: string): ApiKeyParts {
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
