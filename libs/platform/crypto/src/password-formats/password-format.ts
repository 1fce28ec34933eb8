export interface ReadHash {
  /** Whether a verification would take too much memory or time. */
  readonly isTooCostly: boolean;
  verify(password: Buffer): Promise<boolean>;
}

/**
 * A format of password hashes. Its pattern limits the length of each part of a hash. A digest has 22 to 86 characters of base64, which are
 * 16 to 64 bytes. A shorter digest would match too many passwords.
 */
export interface PasswordFormat {
  /** Parses a hash. Returns undefined if the hash has another format. */
  read(hash: string): ReadHash | undefined;
}

export interface OwnPasswordFormat extends PasswordFormat {
  /** Returns whether a hash has this format and at least the cost of a new hash. */
  isUpToDate(hash: string): boolean;
  hash(password: Buffer): Promise<string>;
}

/** Maximum memory of a verification in any format. */
export const MAX_MEMORY_BYTES = 128 * 1024 ** 2;

/** Returns the base64 of a hash in hexadecimal. */
export const base64OfHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

/**
 * Decodes base64, with or without padding, with plus signs or with dots (Passlib). Returns undefined if the text is not canonical base64.
 */
export function bytesOf(base64: string): Buffer | undefined {
  const text = base64.replaceAll('.', '+').replace(/={0,2}$/, '');
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replace(/={0,2}$/, '') === text ? bytes : undefined;
}
