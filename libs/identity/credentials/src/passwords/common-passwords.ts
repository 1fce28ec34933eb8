import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LIST_PATH = 'libs/identity/credentials/data/common-passwords.txt';
/** The maximum number of characters around a common word in a common password. */
const MAX_ADDED_CHARACTERS = 10;
/** Rows of keyboards, the alphabet and digits, repeated for long passwords. */
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '1234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
]
  .map((row) => row.repeat(4))
  .flatMap((row) => [row, [...row].reverse().join('')]);

/** The passwords that attackers try first (NIST SP 800-63B-4, 3.1.1.2). */
export class CommonPasswords {
  private list: ReadonlySet<string> | undefined;

  /** @throws Error if the file is missing, so that the start fails instead of the first check */
  constructor(private readonly path = join(projectDir(import.meta.dirname), LIST_PATH)) {
    if (!existsSync(path)) throw new Error(`The list of common passwords is missing: ${path}.`);
  }

  /** Returns whether a password is common, a common word with a few added characters, a repetition, or a keyboard sequence. */
  has(password: string): boolean {
    const normalized = password.normalize('NFKC').toLowerCase();
    if (this.isListed(normalized) || SEQUENCES.some((sequence) => sequence.includes(normalized))) return true;
    return repeatedUnits(normalized).some(
      (unit) => unit.length <= 4 || this.isListed(unit) || SEQUENCES.some((sequence) => sequence.includes(unit)),
    );
  }

  private isListed(normalized: string): boolean {
    // The file is read at the first password check, to keep the startup fast.
    this.list ??= new Set(readFileSync(this.path, 'utf8').trimEnd().split('\n'));
    if (this.list.has(normalized)) return true;
    const word = normalized.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '');
    return word.length >= 4 && normalized.length - word.length <= MAX_ADDED_CHARACTERS && this.list.has(word);
  }
}

/** Returns the repeated parts of a text, such as `abc` and `abcabc` for `abcabcabcabc`. */
function repeatedUnits(text: string): string[] {
  const unitLength = (text + text).indexOf(text, 1);
  const repetitions = text.length / unitLength;
  const divisors = Array.from({ length: Math.floor(repetitions / 2) }, (_, index) => index + 1).filter(
    (count) => repetitions % count === 0,
  );
  return divisors.map((count) => text.slice(0, count * unitLength));
}

function projectDir(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('No folder above the credentials library has a package.json.');
  return projectDir(parent);
}
