import type { Schema } from '../../api/client';
import { t } from '../../texts';

/** A rule of the password policy. `later` means that only the API can check the rule. */
export interface PasswordRule {
  readonly text: string;
  readonly state: 'met' | 'open' | 'later';
}

type Policy = Pick<
  Schema<'PasswordRulesResponse'>,
  'minLength' | 'requireUppercase' | 'requireNumbers' | 'requireSymbols' | 'preventReuse' | 'maxBytes'
>;

/** Checks the rules as the API does: characters are counted after NFKC normalization. */
export function passwordRules(policy: Policy, password: string): PasswordRule[] {
  const normalized = password.normalize('NFKC');
  const rule = (text: string, isMet: boolean): PasswordRule => ({ text, state: isMet ? 'met' : 'open' });
  const isTooLong = new TextEncoder().encode(normalized).length > policy.maxBytes;
  return [
    rule(t('signIn.newPassword.rules.length', { count: policy.minLength }), [...normalized].length >= policy.minLength),
    ...(isTooLong ? [rule(t('signIn.newPassword.rules.tooLong', { bytes: policy.maxBytes }), false)] : []),
    ...(policy.requireUppercase ? [rule(t('signIn.newPassword.rules.uppercase'), /\p{Lu}/u.test(normalized))] : []),
    ...(policy.requireNumbers ? [rule(t('signIn.newPassword.rules.number'), /\p{Nd}/u.test(normalized))] : []),
    ...(policy.requireSymbols ? [rule(t('signIn.newPassword.rules.symbol'), /[^\p{L}\p{M}\p{N}]/u.test(normalized))] : []),
    ...(policy.preventReuse > 0
      ? [{ text: t('signIn.newPassword.rules.reuse', { count: policy.preventReuse }), state: 'later' } as const]
      : []),
    { text: t('signIn.newPassword.rules.uncommon'), state: 'later' },
  ];
}
