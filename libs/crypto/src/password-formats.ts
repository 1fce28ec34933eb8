/** A way to store passwords. Others than the one in use exist for hashes that were brought along from elsewhere. */
export interface PasswordFormat {
  /** Whether a stored text is in this form. */
  recognises(hash: string): boolean;
  /** Whether the hash is in this form and costs an attacker at least what a new one would. */
  isUpToDate(hash: string): boolean;
  hash(password: Buffer): Promise<string>;
  verify(password: Buffer, hash: string): Promise<boolean>;
}

const MEMORY_KIB = 19 * 1_024;
const PASSES = 2;
const LANES = 1;

const PHC_FORM = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

/** Loaded with the first password: the native module would slow the start. */
const argon2 = () => import('@node-rs/argon2');

/** The value of the package's `Algorithm.Argon2id`, an ambient constant that can't be read at run time. */
const ALGORITHM_ARGON2ID = 2;

/** argon2id with 19 MiB, 2 passes and one lane (OWASP Password Storage), 16 random bytes of salt, as a PHC string. */
export const ARGON2ID: PasswordFormat = {
  recognises: (hash) => PHC_FORM.test(hash),

  isUpToDate: (hash) => {
    const [, memoryKib, passes] = PHC_FORM.exec(hash) ?? [];
    return Number(memoryKib) >= MEMORY_KIB && Number(passes) >= PASSES;
  },

  hash: async (password) =>
    (await argon2()).hash(password, {
      algorithm: ALGORITHM_ARGON2ID,
      memoryCost: MEMORY_KIB,
      timeCost: PASSES,
      parallelism: LANES,
    }),

  verify: async (password, hash) => (await argon2()).verify(hash, password),
};
