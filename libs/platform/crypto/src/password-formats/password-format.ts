/** A hash taken apart, ready to be checked against. */
export interface ReadHash {
  /** Whether a check would take more memory or time than anybody at all may make a sign-in take. */
  readonly isTooCostly: boolean;
  verify(password: Buffer): Promise<boolean>;
}

/**
 * A way in which passwords are hashed, here or where users came from. Every form bounds the length of its parts. A digest has 22 to 86
 * characters of base64, which are 16 to 64 bytes: a shorter one would fit too many passwords.
 */
export interface PasswordFormat {
  /** Nothing when the text is not in this form. */
  read(hash: string): ReadHash | undefined;
}

/** The way in which new passwords are hashed. */
export interface OwnPasswordFormat extends PasswordFormat {
  /** Whether the hash is in this form and costs an attacker at least what a new one would. */
  isUpToDate(hash: string): boolean;
  hash(password: Buffer): Promise<string>;
}

/** Memory that one check may take, whatever the form. */
export const MAX_MEMORY_BYTES = 128 * 1024 ** 2;

/** Bytes from base64, with or without padding, or with dots for pluses as Passlib has it; nothing when no encoder would have written it. */
export function bytesOf(base64: string): Buffer | undefined {
  const text = base64.replaceAll('.', '+').replace(/={0,2}$/, '');
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === text ? bytes : undefined;
}
