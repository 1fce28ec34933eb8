import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LIST_PATH = 'libs/identity/credentials/data/common-passwords.txt';
/** More than this around a common word makes another password of it. */
const LONGEST_ADDITION = 10;
/** Rows of keyboards, alphabet and digits, as often as a long password could walk through them. */
const WALKS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '1234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
]
  .map((row) => row.repeat(4))
  .flatMap((row) => [row, [...row].reverse().join('')]);

/** Passwords that are tried first by whoever guesses (NIST SP 800-63B-4, 3.1.1.2). */
export class CommonPasswords {
  private list: ReadonlySet<string> | undefined;

  /** @throws Error when the list is not where it belongs: better at the start than with the first password */
  constructor(private readonly path = join(projectDir(import.meta.dirname), LIST_PATH)) {
    if (!existsSync(path)) throw new Error(`The list of common passwords is missing: ${path}.`);
  }

  /** Whether it is a common password, one with a little before or after it, one repeated, or a walk over the keyboard. */
  has(password: string): boolean {
    const folded = password.normalize('NFKC').toLowerCase();
    if (this.isListed(folded) || WALKS.some((walk) => walk.includes(folded))) return true;
    return repeatedUnits(folded).some(
      (unit) => unit.length <= 4 || this.isListed(unit) || WALKS.some((walk) => walk.includes(unit)),
    );
  }

  private isListed(folded: string): boolean {
    // Read with the first password, since the start has no use for it.
    this.list ??= new Set(readFileSync(this.path, 'utf8').trimEnd().split('\n'));
    if (this.list.has(folded)) return true;
    const word = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    return word.length >= 4 && folded.length - word.length <= LONGEST_ADDITION && this.list.has(word);
  }
}

/** What a text repeats at least twice and nothing else, such as `abc` and `abcabc` in `abcabcabcabc`. */
function repeatedUnits(text: string): string[] {
  const shortest = (text + text).indexOf(text, 1);
  const times = text.length / shortest;
  const divisors = Array.from({ length: Math.floor(times / 2) }, (_, index) => index + 1).filter((count) => times % count === 0);
  return divisors.map((count) => text.slice(0, count * shortest));
}

function projectDir(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('No folder above the credentials library has a package.json.');
  return projectDir(parent);
}
