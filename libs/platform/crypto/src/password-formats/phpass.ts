import { createHash } from 'node:crypto';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { constantTimeEqual } from '../tokens.js';
import type { PasswordFormat } from './password-format.js';

/** The characters for 6 bits each, least significant first. */
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `$P$` (WordPress) and `$H$` (phpBB): the binary logarithm of the rounds, a salt of 8 characters, and the digest of 16 bytes. */
const FORMAT = /^\$[PH]\$(?<rounds>[5-9A-S])(?<salt>[./0-9A-Za-z]{8})(?<digest>[./0-9A-Za-z]{21}[./01])$/;

/** 2^16 rounds take a tenth of a second. WordPress has 2^13. */
const MAX_LOG_ROUNDS = 16;
/** The rounds run on the thread of all requests, so that others get a turn after a millisecond. */
const ROUNDS_PER_TURN = 512;

const md5 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The portable hashes of phpass (MD5 with many rounds), for imported users. */
export const PHPASS: PasswordFormat = {
  read(text) {
    const groups = FORMAT.exec(text)?.groups as Record<'rounds' | 'salt' | 'digest', string> | undefined;
    if (!groups) return undefined;
    const logRounds = ALPHABET.indexOf(groups.rounds);
    return {
      isTooCostly: logRounds > MAX_LOG_ROUNDS,
      verify: async (password) =>
        constantTimeEqual(await derive(password, Buffer.from(groups.salt), 2 ** logRounds), decoded(groups.digest)),
    };
  },
};

async function derive(password: Buffer, salt: Buffer, rounds: number): Promise<Buffer> {
  let digest = md5(salt, password);
  for (let round = 1; round <= rounds; round++) {
    digest = md5(digest, password);
    if (round % ROUNDS_PER_TURN === 0) await turnOfEventLoop();
  }
  return digest;
}

function decoded(text: string): Buffer {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const character of text) {
    value |= ALPHABET.indexOf(character) << bits;
    bits += 6;
    if (bits < 8) continue;
    bytes.push(value & 0xff);
    value >>= 8;
    bits -= 8;
  }
  return Buffer.from(bytes);
}
