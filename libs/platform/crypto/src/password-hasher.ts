import { availableParallelism } from 'node:os';
import { DomainError } from '#platform/common';
import {
  deriveByArgon2id,
  type OwnPasswordFormat,
  PASSWORD_FORMATS,
  type PasswordFormat,
  readPasswordHash,
} from './password-formats/index.js';
import { ConcurrencyLimiter, type ConcurrencyLimits, QueueFull } from './concurrency-limiter.js';

/** Maximum length of a password. Longer passwords are rejected, because users would not know the truncated password. */
export const MAX_PASSWORD_BYTES = 1_024;

/**
 * Returns how many hashes a process computes at the same time. Together, the processes of the service on this machine use all cores: the
 * operating system divides them between hashes and other requests. One thread of libuv's pool stays free for files and DNS lookups.
 */
export const hashConcurrency = (cores: number, poolThreads: number, processes = 1): number =>
  Math.max(1, Math.min(Math.ceil(cores / processes), poolThreads - 1));

/** Returns the limits of one of several processes on this machine. */
export const hashingLimits = (processes?: number): ConcurrencyLimits => ({
  concurrency: hashConcurrency(availableParallelism(), Number(process.env['UV_THREADPOOL_SIZE'] ?? 4), processes),
  queued: 400,
  maxWaitMs: 20_000,
});

const RETRY_AFTER_SECONDS = 2;

export class HashingOverloaded extends DomainError {
  readonly code = 'unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super('The service is checking too many passwords at the moment. Try again in a few seconds.');
  }
}

/**
 * Hashes passwords with argon2id (OWASP Password Storage; RFC 9106). A hash is a PHC string, which contains salt and cost. Passwords are
 * normalized (NFKC, NIST SP 800-63B-4, section 3.1.1.2), because keyboards send different Unicode forms. The number of concurrent hashes is
 * limited, so that other requests get processor time.
 */
export class PasswordHasher {
  private readonly limiter: ConcurrencyLimiter;

  constructor(
    limits: ConcurrencyLimits = hashingLimits(),
    /** The formats that the hasher verifies. New hashes have the first format. */
    private readonly formats: readonly [OwnPasswordFormat, ...PasswordFormat[]] = PASSWORD_FORMATS,
  ) {
    this.limiter = new ConcurrencyLimiter(limits);
  }

  /**
   * Returns the hash of a password.
   * @throws RangeError if the password is longer than 1,024 bytes (see `isHashable`)
   * @throws HashingOverloaded (503)
   */
  async hash(password: string): Promise<string> {
    const bytes = passwordBytes(password);
    if (!bytes) throw new RangeError(`A password can have at most ${MAX_PASSWORD_BYTES} bytes.`);
    return this.runLimited(() => this.formats[0].hash(bytes));
  }

  /**
   * Returns whether a password matches a hash. Returns false for a hash with an unknown format or a too high cost. Also compares the
   * password without normalization, because imported hashes are of passwords without normalization.
   * @throws HashingOverloaded (503)
   */
  async verify(password: string, hash: string): Promise<boolean> {
    const read = readPasswordHash(hash, this.formats);
    if (!read || read.isTooCostly) return false;
    const candidates = [passwordBytes(password), originalBytes(password)].filter((bytes) => bytes !== undefined);
    return this.runLimited(async () => {
      for (const candidate of candidates) if (await read.verify(candidate)) return true;
      return false;
    });
  }

  /** Returns whether a hash has a lower cost or another format than new hashes. The next sign-in should replace such a hash. */
  needsRehash(hash: string): boolean {
    return !this.formats[0].isUpToDate(hash);
  }

  /**
   * Derives 32 bytes from a text and a salt of at least 16 random bytes. Used to compare one code with several hashes.
   * @throws RangeError if the text is longer than 1,024 bytes
   * @throws HashingOverloaded (503)
   */
  async derive(text: string, salt: Buffer): Promise<Buffer> {
    const bytes = passwordBytes(text);
    if (!bytes) throw new RangeError(`A text can have at most ${MAX_PASSWORD_BYTES} bytes.`);
    return this.runLimited(() => deriveByArgon2id(bytes, salt));
  }

  private async runLimited<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.limiter.run(work);
    } catch (error) {
      throw error instanceof QueueFull ? new HashingOverloaded() : error;
    }
  }
}

/** Returns whether a password is short enough for `hash`. */
export const isHashable = (password: string): boolean => passwordBytes(password) !== undefined;

function passwordBytes(password: string): Buffer | undefined {
  // Checked before normalization, which can make a text eighteen times as long.
  if (password.length > MAX_PASSWORD_BYTES) return undefined;
  const bytes = Buffer.from(password.normalize('NFKC'));
  return bytes.length > MAX_PASSWORD_BYTES ? undefined : bytes;
}

/** Returns the password without normalization, or undefined if normalization does not change it. */
function originalBytes(password: string): Buffer | undefined {
  const bytes = Buffer.from(password);
  return bytes.length > MAX_PASSWORD_BYTES || password.normalize('NFKC') === password ? undefined : bytes;
}
