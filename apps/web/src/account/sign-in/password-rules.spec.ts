import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadTexts, setCatalog } from '../../texts';
import { signInCatalog } from '../../texts/sign-in-catalog';
import { passwordRules } from './password-rules';

const DEFAULT_POLICY = {
  minLength: 15,
  requireUppercase: false,
  requireNumbers: false,
  requireSymbols: false,
  preventReuse: 0,
  maxBytes: 1_024,
};
const STRICT_POLICY = {
  ...DEFAULT_POLICY,
  minLength: 8,
  requireUppercase: true,
  requireNumbers: true,
  requireSymbols: true,
  preventReuse: 3,
};
const statesOf = (policy: typeof DEFAULT_POLICY, password: string): string[] =>
  passwordRules(policy, password).map(({ state }) => state);

describe('passwordRules', () => {
  beforeAll(() => {
    setCatalog(signInCatalog);
    return loadTexts('en');
  });

  it.each([
    [DEFAULT_POLICY, '', ['open', 'later']],
    [DEFAULT_POLICY, 'lantern orbit velvet', ['met', 'later']],
    [DEFAULT_POLICY, '🐢'.repeat(14), ['open', 'later']],
    [DEFAULT_POLICY, '🐢'.repeat(15), ['met', 'later']],
    [DEFAULT_POLICY, 'ö'.repeat(600), ['met', 'open', 'later']],
    [STRICT_POLICY, 'lantern', ['open', 'open', 'open', 'open', 'later', 'later']],
    [STRICT_POLICY, 'Lantern-7', ['met', 'met', 'met', 'met', 'later', 'later']],
    [STRICT_POLICY, 'Äquator ७', ['met', 'met', 'met', 'met', 'later', 'later']],
  ])('maps the policy %j and the password %j to the states %j', (policy, password, states) => {
    expect(statesOf(policy, password)).toEqual(states);
  });
});
