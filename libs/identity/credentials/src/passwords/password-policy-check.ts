import { isHashable, MAX_PASSWORD_BYTES } from '#platform/crypto';
import type { PasswordPolicy } from '#directory/organizations';

/** A rule that a password breaks: a stable code, and a sentence that helps to choose another. */
export interface PasswordViolation {
  readonly code: string;
  readonly message: string;
}

/** What passwords are judged by, beside the policy. */
export interface PasswordContext {
  /** Names of the person and of the organization, and the e-mail address: the first that anyone tries. */
  readonly names: readonly string[];
  isCommon(password: string): boolean;
}

/** Letters that must be left beside names, so that a password is not just made of them. */
const LEAST_BESIDE_NAMES = 6;
const SHORTEST_NAME = 3;

/**
 * The rules that a password breaks; none, if it may be used. Lengths count characters (code points after NFKC, NIST SP 800-63B-4), and the
 * whole password is judged. The password itself appears in no message.
 */
export function passwordViolations(
  password: string,
  policy: PasswordPolicy,
  { names, isCommon }: PasswordContext,
): PasswordViolation[] {
  if (!isHashable(password))
    return [{ code: 'too_long', message: `A password can have at most ${MAX_PASSWORD_BYTES} bytes. Choose a shorter one.` }];
  if (password.includes('\0') || !password.isWellFormed())
    return [{ code: 'invalid_text', message: 'A password must be valid Unicode text without NUL characters.' }];
  const normalised = password.normalize('NFKC');
  const checks: readonly (readonly [boolean, string, string])[] = [
    [
      [...normalised].length < policy.minLength,
      'too_short',
      `Use at least ${policy.minLength} characters. A few unrelated words are easy to remember.`,
    ],
    [policy.requireUppercase && !/\p{Lu}/u.test(normalised), 'uppercase_missing', 'Use at least one uppercase letter.'],
    [policy.requireNumbers && !/\p{Nd}/u.test(normalised), 'number_missing', 'Use at least one digit.'],
    [
      policy.requireSymbols && !/[^\p{L}\p{M}\p{N}]/u.test(normalised),
      'symbol_missing',
      'Use at least one symbol, such as a dash or a space.',
    ],
    [isCommon(password), 'common_password', 'This password is common and easy to guess. Choose another one.'],
    [
      isMadeOfNames(password, names),
      'made_of_names',
      'This password consists mostly of your name, your email address or the name of the organization. Choose another one.',
    ],
  ];
  return checks.filter(([broken]) => broken).map(([, code, message]) => ({ code, message }));
}

/** The rules in words, for the person who is about to choose a password. */
export function policyRules(policy: PasswordPolicy): string[] {
  return [
    `At least ${policy.minLength} characters; a few unrelated words are easy to remember.`,
    ...(policy.requireUppercase ? ['At least one uppercase letter.'] : []),
    ...(policy.requireNumbers ? ['At least one digit.'] : []),
    ...(policy.requireSymbols ? ['At least one symbol, such as a dash or a space.'] : []),
    ...(policy.preventReuse > 0 ? [`Not one of your last ${policy.preventReuse} passwords.`] : []),
    'Not a common password, and not your name, your email address or the name of the organization.',
  ];
}

const folded = (text: string): string => text.normalize('NFKD').toLowerCase();
const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Whether too little is left of a password when all names are taken out of it. */
function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const words = names
    .flatMap((name) => [
      lettersAndDigits(folded(name)),
      ...folded(name)
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .map(lettersAndDigits),
    ])
    .filter((word) => [...word].length >= SHORTEST_NAME)
    .toSorted((a, b) => b.length - a.length);
  const whole = lettersAndDigits(folded(password));
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), whole);
  return rest.length < whole.length && lettersOf(rest) < LEAST_BESIDE_NAMES;
}

/** Digits around a name (years, postcodes) are guessed with it, so only letters count. */
const lettersOf = (text: string): number => [...text.replace(/[^\p{L}]/gu, '')].length;
