import { describe, expect, it } from '@jest/globals';
import {
  MFA_METHODS,
  patchOverrides,
  POLICY_FIELDS,
  resolveSettings,
  SETTING_FIELDS,
  type SettingField,
  type SettingsLayer,
  type SettingsOverrides,
} from './settings.js';

const layer = (id: string, overrides: SettingsOverrides = {}, locked: SettingField[] = []): SettingsLayer => ({
  id,
  name: id.toUpperCase(),
  overrides,
  locked,
});
const values = (...chain: SettingsLayer[]) => resolveSettings(chain).values;

const DEFAULTS = {
  allowPublicSignup: false,
  requireMfa: false,
  mfaMethods: ['totp', 'passkey'],
  ssoRequired: false,
  sessionTimeout: 86_400,
  passwordPolicy: { minLength: 15, requireUppercase: false, requireNumbers: false, requireSymbols: false, preventReuse: 0 },
  allowedDomains: [],
  defaultRole: 'role_member',
  sessionLifetime: 2_592_000,
  maxApiKeyLifetime: 0,
  disableFlaggedApiKeys: false,
  disableFlaggedWebhooks: false,
  allowedNetworks: [],
  impersonationApproval: 'none',
  defaultLocale: 'en',
  applicationApproval: 'anyone',
  clientIdMetadataDomains: [],
  dynamicClientRegistration: false,
};

const NON_DEFAULTS: Required<SettingsOverrides> = {
  allowPublicSignup: true,
  requireMfa: true,
  mfaMethods: ['sms', 'email'],
  ssoRequired: true,
  sessionTimeout: 600,
  passwordPolicy: { minLength: 20, requireUppercase: true, requireNumbers: true, requireSymbols: true, preventReuse: 3 },
  allowedDomains: ['example.com'],
  defaultRole: 'role_other',
  sessionLifetime: 600,
  maxApiKeyLifetime: 600,
  disableFlaggedApiKeys: true,
  disableFlaggedWebhooks: true,
  allowedNetworks: ['203.0.113.0/24'],
  impersonationApproval: 'user',
  defaultLocale: 'de',
  applicationApproval: 'owners',
  clientIdMetadataDomains: ['client.example.com'],
  dynamicClientRegistration: true,
};
const PATHS = SETTING_FIELDS.flatMap((field) =>
  field === 'passwordPolicy' ? POLICY_FIELDS.map((part) => `passwordPolicy.${part}`) : [field],
);

describe('resolveSettings', () => {
  it('returns the defaults if no organization has overrides', () => {
    const { values, sources, lockedBy } = resolveSettings([layer('root'), layer('child')]);
    expect(values).toEqual(DEFAULTS);
    expect(sources).toEqual(Object.fromEntries(PATHS.map((path) => [path, 'default'])));
    expect(lockedBy).toEqual({});
    expect(resolveSettings([]).values).toEqual(DEFAULTS);
  });

  it('returns the source of an inherited value', () => {
    const { values, sources } = resolveSettings([layer('root', NON_DEFAULTS), layer('child'), layer('grandchild')]);
    expect(values).toEqual(NON_DEFAULTS);
    expect(sources).toEqual(Object.fromEntries(PATHS.map((path) => [path, { id: 'root', name: 'ROOT' }])));
  });

  it('takes each field from the nearest organization that overrides the field', () => {
    const { values, sources } = resolveSettings([
      layer('root', { sessionTimeout: 100, requireMfa: true, passwordPolicy: { minLength: 12, preventReuse: 5 } }),
      layer('child', { sessionTimeout: 200, passwordPolicy: { minLength: 10 } }),
      layer('grandchild', { requireMfa: false }),
    ]);
    expect(values).toMatchObject({ sessionTimeout: 200, requireMfa: false });
    expect(values.passwordPolicy).toMatchObject({ minLength: 10, preventReuse: 5 });
    expect(sources).toMatchObject({
      sessionTimeout: { id: 'child' },
      requireMfa: { id: 'grandchild' },
      'passwordPolicy.minLength': { id: 'child' },
      'passwordPolicy.preventReuse': { id: 'root' },
      'passwordPolicy.requireNumbers': 'default',
    });
  });

  it('lowers the default minimum password length from 15 to 8 with MFA', () => {
    expect(values(layer('root', { requireMfa: true })).passwordPolicy.minLength).toBe(8);
    expect(values(layer('root', { requireMfa: false })).passwordPolicy.minLength).toBe(15);
    const longPasswords = layer('root', { requireMfa: true, passwordPolicy: { minLength: 30 } });
    expect(values(longPasswords).passwordPolicy.minLength).toBe(30);
  });

  it('MFA_METHODS contains totp, sms, email and passkey', () => expect(MFA_METHODS).toEqual(['totp', 'sms', 'email', 'passkey']));
});

describe('locked setting', () => {
  it.each(SETTING_FIELDS)('ignores the overrides of descendants: %s', (field) => {
    const ownOverrides = { [field]: NON_DEFAULTS[field] } as SettingsOverrides;
    const { values, lockedBy } = resolveSettings([
      layer('root', {}, [field]),
      layer('child', NON_DEFAULTS),
      layer('grandchild', ownOverrides),
    ]);
    expect(values[field]).toEqual(
      // The default minimum length depends on requireMfa, which is not locked.
      field === 'passwordPolicy' ? { ...DEFAULTS.passwordPolicy, minLength: 8 } : DEFAULTS[field],
    );
    for (const other of SETTING_FIELDS.filter((name) => name !== field)) expect(values[other]).toEqual(NON_DEFAULTS[other]);
    expect(lockedBy).toEqual({ [field]: { id: 'root', name: 'ROOT' } });
  });

  it('has the override of the organization that locks the setting', () => {
    const { values, lockedBy } = resolveSettings([layer('root'), layer('child', { sessionTimeout: 60 }, ['sessionTimeout'])]);
    expect(values.sessionTimeout).toBe(60);
    expect(lockedBy).toEqual({});
    const child = resolveSettings([
      layer('root'),
      layer('child', { sessionTimeout: 60 }, ['sessionTimeout']),
      layer('last', { sessionTimeout: 90 }),
    ]);
    expect([child.values.sessionTimeout, child.lockedBy]).toEqual([60, { sessionTimeout: { id: 'child', name: 'CHILD' } }]);
  });

  it('is locked by the topmost organization with a lock', () => {
    const chain = [layer('root', {}, ['requireMfa']), layer('child', {}, ['requireMfa']), layer('last')];
    expect(resolveSettings(chain).lockedBy.requireMfa?.id).toBe('root');
  });
});

describe('patchOverrides', () => {
  const current: SettingsOverrides = { sessionTimeout: 60, requireMfa: true, passwordPolicy: { minLength: 12, preventReuse: 2 } };

  it('replaces only the fields in the patch', () => {
    expect(patchOverrides(current, { sessionTimeout: 90, allowedDomains: ['a.example'] })).toEqual({
      ...current,
      sessionTimeout: 90,
      allowedDomains: ['a.example'],
    });
    expect(patchOverrides({}, NON_DEFAULTS)).toEqual(NON_DEFAULTS);
    expect(patchOverrides(current, {})).toEqual(current);
  });

  it('removes an override if the patch contains null', () => {
    expect(patchOverrides(current, { sessionTimeout: null, requireMfa: null })).toEqual({
      passwordPolicy: current.passwordPolicy,
    });
    const withoutMinLength = patchOverrides(current, { passwordPolicy: { minLength: null } });
    expect(withoutMinLength).toEqual({ ...current, passwordPolicy: { preventReuse: 2 } });
    expect(patchOverrides(withoutMinLength, { passwordPolicy: { preventReuse: null } })).toEqual({
      sessionTimeout: 60,
      requireMfa: true,
    });
    expect(patchOverrides(current, { passwordPolicy: null })).toEqual({ sessionTimeout: 60, requireMfa: true });
  });

  it('merges the fields of the password policy', () => {
    expect(patchOverrides(current, { passwordPolicy: { minLength: 9, requireNumbers: true } }).passwordPolicy).toEqual({
      minLength: 9,
      preventReuse: 2,
      requireNumbers: true,
    });
    expect(patchOverrides({}, { passwordPolicy: { minLength: 9 } })).toEqual({ passwordPolicy: { minLength: 9 } });
  });

  it('does not change the arguments', () => {
    const overrides = structuredClone(current);
    patchOverrides(overrides, { passwordPolicy: { minLength: 1 }, requireMfa: false });
    expect(overrides).toEqual(current);
  });

  it('ignores unknown settings', () => {
    const unknownSettings = { isAdmin: true, passwordPolicy: { isAdmin: true } } as never;
    expect(patchOverrides({}, unknownSettings)).toEqual({});
  });
});
