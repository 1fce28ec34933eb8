import { describe, expect, it } from '@jest/globals';
import type { RequestSession, SessionRules } from '#platform/common';
import { findUnmetRule, strictestSettings } from './session-rules.js';
import { type OrganizationSettings, resolveSettings } from './settings.js';

const strictest = (...all: Partial<OrganizationSettings>[]): SessionRules =>
  strictestSettings(all.map((each) => ({ ...resolveSettings([]).values, ...each })));

describe('strictestSettings', () => {
  it.each<[string, Partial<OrganizationSettings>[], Partial<SessionRules>]>([
    ['one organization', [{}], { requireMfa: false, mfaMethods: ['totp', 'passkey'], allowedNetworks: [] }],
    [
      'methods of organizations that require MFA',
      [{ requireMfa: true, mfaMethods: ['sms'] }, {}],
      { requireMfa: true, mfaMethods: ['sms'] },
    ],
    [
      'methods that all of them allow',
      [{ requireMfa: true, mfaMethods: ['sms', 'totp'] }, { requireMfa: true }],
      { mfaMethods: ['totp'] },
    ],
    [
      'all networks',
      [{ allowedNetworks: ['10.0.0.0/8'] }, {}, { allowedNetworks: ['::/0'] }],
      { allowedNetworks: [['10.0.0.0/8'], ['::/0']] },
    ],
    ['methods of no organization', [], { requireMfa: false, mfaMethods: [] }],
    ['shortest times', [{ sessionTimeout: 60 }, { sessionLifetime: 300 }], { sessionTimeout: 60, sessionLifetime: 300 }],
  ])('returns the %s', (_, all, expected) => {
    expect(strictest(...all)).toMatchObject(expected);
  });
});

describe('findUnmetRule', () => {
  const NOW = 1_800_000_000_000;
  const session = {
    authenticationMethods: ['password', 'totp'],
    authenticatedAt: new Date(NOW),
    longestIdleSeconds: 0,
    rules: strictest({}),
  } as unknown as RequestSession;
  const elsewhere = { allowedNetworks: ['10.0.0.0/8'] };
  const here = { allowedNetworks: ['2001:db8::/32', '192.0.2.0/24'] };
  const mfa: Partial<OrganizationSettings> = { requireMfa: true, mfaMethods: ['totp'] };
  const passwordOnly = { authenticationMethods: ['password'] };

  it.each<[string | undefined, string, Partial<OrganizationSettings>[], Partial<RequestSession>]>([
    [undefined, 'of an organization without rules', [{}], {}],
    [undefined, 'from a network of each organization', [here, {}, here], { rules: strictest(here) }],
    ['network', 'from a network of one organization only', [here, elsewhere], {}],
    ['network', 'from a network that its own rules exclude', [here], { rules: strictest(elsewhere) }],
    ['network', 'without a second factor, from another network', [{ ...mfa, ...elsewhere }], passwordOnly],
    [undefined, 'with a second factor', [mfa], {}],
    [undefined, 'without an optional second factor', [{ ...mfa, requireMfa: false }], passwordOnly],
    ['mfa', 'without a second factor', [mfa], passwordOnly],
    ['mfa', 'with a second factor of another method', [{ ...mfa, mfaMethods: ['passkey'] }], {}],
    [undefined, 'that was nearly idle for too long', [{ sessionTimeout: 60 }], { longestIdleSeconds: 59 }],
    ['time', 'that was idle for too long', [{ sessionTimeout: 60 }], { longestIdleSeconds: 60 }],
    [undefined, 'that is nearly too old', [{ sessionLifetime: 300 }], { authenticatedAt: new Date(NOW - 299_999) }],
    ['time', 'that is too old', [{ sessionLifetime: 300 }], { authenticatedAt: new Date(NOW - 300_000) }],
  ])('returns %s for a session %s', (expected, _, organizations, changes) => {
    const origin = { ipAddress: '192.0.2.1' };
    expect(findUnmetRule(strictest(...organizations), { ...session, ...changes }, origin, new Date(NOW))).toBe(expected);
  });
});
