import { describe, expect, it } from '@jest/globals';
import { LIFETIMES } from './token-lifetimes.js';

const DAY_SECONDS = 86_400;

describe('the lifetimes of codes and tokens', () => {
  it('limits codes to a minute and sign-ins to a year', () => {
    const refreshTokenAfter = (days: number) => LIFETIMES.RefreshToken({}, { totalLifetime: () => days * DAY_SECONDS });
    expect(LIFETIMES.AuthorizationCode).toBe(60);
    expect([0, 355, 400].map(refreshTokenAfter)).toEqual([30 * DAY_SECONDS, 10 * DAY_SECONDS, 1]);
  });
});
