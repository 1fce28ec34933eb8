import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadTexts, setCatalog } from '../../texts';
import { signInCatalog } from '../../texts/sign-in-catalog';
import { passwordRules } from './password-rules';

const PLAIN = {
  minLength: 15,
  requireUppercase: false,
  requireNumbers: false,
  requireSymbols: false,
  preventReuse: 0,
  maxBytes: 1_024,
};
const STRICT = { ...PLAIN, minLength: 8, requireUppercase: true, requireNumbers: true, requireSymbols: true, preventReuse: 3 };
const statesOf = (policy: typeof PLAIN, password: string): string[] => passwordRules(policy, password).map(({ state }) => state);

describe('passwordRules', () => {
  beforeAll(() => {
    setCatalog(signInCatalog);
    return loadTexts('en');
  });

  it.each([
    [PLAIN, '', ['open', 'later']],
    [PLAIN, 'lantern orbit velvet', ['met', 'later']],
    [PLAIN, '🐢'.repeat(14), ['open', 'later']],
    [PLAIN, '🐢'.repeat(15), ['met', 'later']],
    [PLAIN, 'ö'.repeat(600), ['met', 'open', 'later']],
    [STRICT, 'lantern', ['open', 'open', 'open', 'open', 'later', 'later']],
    [STRICT, 'Lantern-7', ['met', 'met', 'met', 'met', 'later', 'later']],
    [STRICT, 'Äquator ७', ['met', 'met', 'met', 'met', 'later', 'later']],
  ])('of the policy %j check %j: %j', (policy, password, states) => {
    expect(statesOf(policy, password)).toEqual(states);
  });
});
