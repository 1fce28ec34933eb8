import type { Schema } from '../../api/client';
import { texts } from '../../texts';

const words = texts.signIn.newPassword.rules;

/** A rule for passwords, and whether what was typed so far keeps it; `later`: only the service can say. */
export interface PasswordRule {
  readonly text: string;
  readonly state: 'met' | 'open' | 'later';
}

type Policy = Pick<
  Schema<'PasswordRulesResponse'>,
  'minLength' | 'requireUppercase' | 'requireNumbers' | 'requireSymbols' | 'preventReuse' | 'maxBytes'
>;

/** Judged as the service does it: characters are counted after NFKC. The service has the last word. */
export function passwordRules(policy: Policy, password: string): PasswordRule[] {
  const normalised = password.normalize('NFKC');
  const rule = (text: string, isMet: boolean): PasswordRule => ({ text, state: isMet ? 'met' : 'open' });
  const isTooLong = new TextEncoder().encode(normalised).length > policy.maxBytes;
  return [
    rule(words.length(policy.minLength), [...normalised].length >= policy.minLength),
    ...(isTooLong ? [rule(words.tooLong(policy.maxBytes), false)] : []),
    ...(policy.requireUppercase ? [rule(words.uppercase, /\p{Lu}/u.test(normalised))] : []),
    ...(policy.requireNumbers ? [rule(words.number, /\p{Nd}/u.test(normalised))] : []),
    ...(policy.requireSymbols ? [rule(words.symbol, /[^\p{L}\p{M}\p{N}]/u.test(normalised))] : []),
    ...(policy.preventReuse > 0 ? [{ text: words.reuse(policy.preventReuse), state: 'later' } as const] : []),
    { text: words.uncommon, state: 'later' },
  ];
}
