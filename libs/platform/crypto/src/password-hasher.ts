import { availableParallelism } from 'node:os';
import { DomainError } from '#platform/common';
import {
  deriveByArgon2id,
  type OwnPasswordFormat,
  PASSWORD_FORMATS,
  type PasswordFormat,
  readPasswordHash,
} from './password-formats/index.js';
import { WaitingLine, WaitingLineFull } from './waiting-line.js';

/** Longer ones are refused, never cut: a cut password would be another one than the person believes. */
export const MAX_PASSWORD_BYTES = 1_024;

/** How many hashes are computed at once, and how many more may wait for how long. */
export interface HashingLimits {
  readonly concurrency: number;
  readonly waiting: number;
  readonly waitMs: number;
}

/** A hash occupies a thread of libuv's pool while it runs; one is left to file access and name look-ups. */
const freeThreads = (): number => Math.max(1, Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) - 1);

/** One core is left to everything else, so that many sign-ins at once don't hold up other requests. */
const DEFAULT_LIMITS: HashingLimits = {
  concurrency: Math.max(1, Math.min(availableParallelism() - 1, freeThreads())),
  waiting: 400,
  waitMs: 20_000,
};

const RETRY_AFTER_SECONDS = 2;

/** More passwords came at once than can be hashed in time: 503. */
export class HashingOverloaded extends DomainError {
  readonly code = 'unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super('The service is checking too many passwords at the moment. Try again in a few seconds.');
  }
}

/**
 * Hashes passwords slowly on purpose (argon2id, OWASP Password Storage; RFC 9106), as PHC strings that carry their own salt and cost.
 * Passwords are normalised by NFKC (NIST SP 800-63B-4, 3.1.1.2), so that the same one typed on another keyboard is the same. A waiting line keeps
 * hashing from starving the rest of the process.
 */
export class PasswordHasher {
  private readonly line: WaitingLine;

  constructor(
    limits: HashingLimits = DEFAULT_LIMITS,
    /** The first is made for new passwords; all are understood. */
    private readonly formats: readonly [OwnPasswordFormat, ...PasswordFormat[]] = PASSWORD_FORMATS,
  ) {
    this.line = new WaitingLine(limits);
  }

  /** @throws RangeError when the password is longer than 1,024 bytes (see `isHashable`), HashingOverloaded (503) */
  async hash(password: string): Promise<string> {
    const bytes = passwordBytes(password);
    if (!bytes) throw new RangeError(`A password can have at most ${MAX_PASSWORD_BYTES} bytes.`);
    return this.inLine(() => this.formats[0].hash(bytes));
  }

  /**
   * Whether the password is the hashed one; false also for a hash in a form that is not known, or that costs too much to check. Hashes from
   * elsewhere were made of the password as it was typed, so that is tried, too, where the normalisation changed it.
   * @throws HashingOverloaded (503)
   */
  async verify(password: string, hash: string): Promise<boolean> {
    const read = readPasswordHash(hash, this.formats);
    if (!read || read.isTooCostly) return false;
    const candidates = [passwordBytes(password), typedBytes(password)].filter((bytes) => bytes !== undefined);
    return this.inLine(async () => {
      for (const candidate of candidates) if (await read.verify(candidate)) return true;
      return false;
    });
  }

  /** Whether a hash was made with less than what is made today, so that the next sign-in should replace it. */
  needsRehash(hash: string): boolean {
    return !this.formats[0].isUpToDate(hash);
  }

  /**
   * 32 bytes that the same text and salt always give: for codes of which several are compared at once. At least 16 random bytes of salt.
   * @throws RangeError when the text is longer than 1,024 bytes, HashingOverloaded (503)
   */
  async derive(text: string, salt: Buffer): Promise<Buffer> {
    const bytes = passwordBytes(text);
    if (!bytes) throw new RangeError(`A text can have at most ${MAX_PASSWORD_BYTES} bytes.`);
    return this.inLine(() => deriveByArgon2id(bytes, salt));
  }

  private async inLine<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.line.run(work);
    } catch (error) {
      throw error instanceof WaitingLineFull ? new HashingOverloaded() : error;
    }
  }
}

/** Whether a password is short enough to be hashed whole. */
export const isHashable = (password: string): boolean => passwordBytes(password) !== undefined;

function passwordBytes(password: string): Buffer | undefined {
  // Looked at before the normalisation, which may make a text eighteen times as long.
  if (password.length > MAX_PASSWORD_BYTES) return undefined;
  const bytes = Buffer.from(password.normalize('NFKC'));
  return bytes.length > MAX_PASSWORD_BYTES ? undefined : bytes;
}

/** The password without the normalisation; nothing where that makes no difference. */
function typedBytes(password: string): Buffer | undefined {
  const bytes = Buffer.from(password);
  return bytes.length > MAX_PASSWORD_BYTES || password.normalize('NFKC') === password ? undefined : bytes;
}
