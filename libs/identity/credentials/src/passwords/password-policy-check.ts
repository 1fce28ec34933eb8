import type { FieldProblem, FieldProblemCode } from '#platform/common';
import { isHashable, MAX_PASSWORD_BYTES } from '#platform/crypto';
import type { PasswordPolicy } from '#directory/organizations';

/** A rule that a password violates, with a stable code and a message for the user. */
export type PasswordViolation = Pick<FieldProblem, 'code' | 'message' | 'minimum'>;

/** Names and common passwords that a password is compared with. */
export interface PasswordContext {
  /** Names of the user and the organization, and the email address. Attackers guess these first. */
  readonly names: readonly string[];
  isCommon(password: string): boolean;
}

/** The minimum number of letters in a password besides names. */
const MIN_LETTERS_BESIDE_NAMES = 6;
const MIN_NAME_LENGTH = 3;

/**
 * Returns the rules that a password violates. Lengths count characters (code points after NFKC, NIST SP 800-63B-4). No message contains the
 * password.
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
  const normalized = password.normalize('NFKC');
  const checks: readonly (readonly [boolean, FieldProblemCode, string])[] = [
    [
      [...normalized].length < policy.minLength,
      'too_short',
      `Use at least ${policy.minLength} characters. A few unrelated words are easy to remember.`,
    ],
    [policy.requireUppercase && !/\p{Lu}/u.test(normalized), 'uppercase_missing', 'Use at least one uppercase letter.'],
    [policy.requireNumbers && !/\p{Nd}/u.test(normalized), 'number_missing', 'Use at least one digit.'],
    [
      policy.requireSymbols && !/[^\p{L}\p{M}\p{N}]/u.test(normalized),
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
  return checks
    .filter(([broken]) => broken)
    .map(([, code, message]) => ({ code, message, ...(code === 'too_short' ? { minimum: policy.minLength } : {}) }));
}

/** Returns the rules as sentences for users. */
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

const caseFolded = (text: string): string => text.normalize('NFKD').toLowerCase();
const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Returns whether a password has too few letters besides names. */
function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const nameParts = names
    .flatMap((name) => [
      lettersAndDigits(caseFolded(name)),
      ...caseFolded(name)
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .map(lettersAndDigits),
    ])
    .filter((word) => [...word].length >= MIN_NAME_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  const passwordText = lettersAndDigits(caseFolded(password));
  const found = nameParts.filter((part) => passwordText.includes(part));
  const remaining = found.reduce((text, part) => text.replaceAll(part, ''), passwordText);
  // Attackers also guess digits around a name, such as a year, so only letters count. A number is no such name.
  const counted = found.some((part) => /\p{L}/u.test(part)) ? remaining.replace(/[^\p{L}]/gu, '') : remaining;
  return found.length > 0 && [...counted].length < MIN_LETTERS_BESIDE_NAMES;
}
