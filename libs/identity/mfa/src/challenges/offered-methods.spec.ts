import { describe, expect, it } from '@jest/globals';
import type { FactorMethod } from '../mfa-method.js';
import { offeredMethods } from './offered-methods.js';

describe('offeredMethods', () => {
  it.each<[FactorMethod[], string[], FactorMethod[]]>([
    [[], ['totp'], []],
    [['totp'], ['totp', 'passkey'], ['totp']],
    [
      ['passkey', 'totp', 'sms'],
      ['totp', 'passkey'],
      ['passkey', 'totp'],
    ],
    [['passkey', 'totp', 'sms'], ['sms'], ['sms']],
    // A setting must not disable the second factor.
    [
      ['sms', 'email'],
      ['totp', 'passkey'],
      ['sms', 'email'],
    ],
    [['totp'], [], ['totp']],
  ])('maps the enrolled methods %j and the allowed methods %j to %j', (enrolled, allowed, offered) => {
    expect(offeredMethods(enrolled, allowed)).toEqual(offered);
  });
});
