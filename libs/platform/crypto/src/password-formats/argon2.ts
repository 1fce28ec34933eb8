import { bytesOf, MAX_MEMORY_BYTES, type OwnPasswordFormat } from './password-format.js';

const MEMORY_KIB = 19 * 1_024;
const PASSES = 2;
const LANES = 1;

/** Maximum of memory (KiB) times passes. A hash with this cost takes half a second. */
const MAX_WORK_KIB = 4 * 128 * 1_024;

const PHC_FORM = new RegExp(
  String.raw`^\$argon2(?<type>id|i|d)(?:\$v=(?<version>16|19))?\$m=(?<memoryKib>[1-9]\d{0,7}),t=(?<passes>[1-9]\d{0,4}),p=(?<lanes>[1-9]\d{0,2})` +
    String.raw`\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<digest>[A-Za-z0-9+/]{22,86})$`,
);

/** Imports the native module on first use, because the import would delay the startup. */
const argon2 = () => import('@node-rs/argon2');

/** The value of the package's ambient constant `Algorithm.Argon2id`, which does not exist at run time. */
const ALGORITHM_ARGON2ID = 2;

type Groups = Record<'type' | 'memoryKib' | 'passes' | 'lanes' | 'salt' | 'digest', string> & { version?: string };

function parametersOf(hash: string) {
  const groups = PHC_FORM.exec(hash)?.groups as Groups | undefined;
  if (!groups || !bytesOf(groups.salt) || !bytesOf(groups.digest)) return undefined;
  const { type, version, memoryKib, passes, lanes } = groups;
  const parameters = { type, version, memoryKib: Number(memoryKib), passes: Number(passes) };
  // Less memory can't be divided among the lanes (RFC 9106, section 3.1).
  return parameters.memoryKib < 8 * Number(lanes) ? undefined : parameters;
}

/** Derives 32 bytes from a text and a salt, with the cost of new hashes. */
export const deriveByArgon2id = async (text: Buffer, salt: Buffer): Promise<Buffer> =>
  (await argon2()).hashRaw(text, {
    algorithm: ALGORITHM_ARGON2ID,
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
    salt,
  });

/**
 * The PHC string format of all variants of argon2. New hashes are argon2id with 19 MiB, 2 passes, one lane (OWASP Password Storage) and a
 * random salt of 16 bytes.
 */
export const ARGON2: OwnPasswordFormat = {
  read(hash) {
    const parameters = parametersOf(hash);
    if (!parameters) return undefined;
    const { memoryKib, passes } = parameters;
    return {
      isTooCostly: memoryKib * 1_024 > MAX_MEMORY_BYTES || memoryKib * passes > MAX_WORK_KIB,
      verify: async (password) => (await argon2()).verify(hash, password),
    };
  },

  isUpToDate(hash) {
    const parameters = parametersOf(hash);
    if (parameters?.type !== 'id' || parameters.version !== '19') return false;
    return parameters.memoryKib >= MEMORY_KIB && parameters.passes >= PASSES;
  },

  hash: async (password) =>
    (await argon2()).hash(password, {
      algorithm: ALGORITHM_ARGON2ID,
      memoryCost: MEMORY_KIB,
      timeCost: PASSES,
      parallelism: LANES,
    }),
};
