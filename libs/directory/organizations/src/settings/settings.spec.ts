import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
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
  sessionTimeout: 86_400,
  passwordPolicy: { minLength: 15, requireUppercase: false, requireNumbers: false, requireSymbols: false, preventReuse: 0 },
  allowedDomains: [],
  defaultRole: 'role_member',
  sessionLifetime: 2_592_000,
  maxApiKeyLifetime: 0,
  disableFlaggedApiKeys: false,
  disableFlaggedWebhooks: false,
  allowedNetworks: [],
  defaultLocale: 'en',
};

/** A value for every field that differs from the default value. */
const OTHERS: Required<SettingsOverrides> = {
  allowPublicSignup: true,
  requireMfa: true,
  mfaMethods: ['sms', 'email'],
  sessionTimeout: 600,
  passwordPolicy: { minLength: 20, requireUppercase: true, requireNumbers: true, requireSymbols: true, preventReuse: 3 },
  allowedDomains: ['example.com'],
  defaultRole: 'role_other',
  sessionLifetime: 600,
  maxApiKeyLifetime: 600,
  disableFlaggedApiKeys: true,
  disableFlaggedWebhooks: true,
  allowedNetworks: ['203.0.113.0/24'],
  defaultLocale: 'de',
};
const PATHS = SETTING_FIELDS.flatMap((field) =>
  field === 'passwordPolicy' ? POLICY_FIELDS.map((part) => `passwordPolicy.${part}`) : [field],
);

describe('effective settings', () => {
  it('are the defaults if no organization overrides them', () => {
    const { values, sources, lockedBy } = resolveSettings([layer('root'), layer('child')]);
    expect(values).toEqual(DEFAULTS);
    expect(sources).toEqual(Object.fromEntries(PATHS.map((path) => [path, 'default'])));
    expect(lockedBy).toEqual({});
    expect(resolveSettings([]).values).toEqual(DEFAULTS);
  });

  it('are all inherited, with their sources', () => {
    const { values, sources } = resolveSettings([layer('root', OTHERS), layer('child'), layer('grandchild')]);
    expect(values).toEqual(OTHERS);
    expect(sources).toEqual(Object.fromEntries(PATHS.map((path) => [path, { id: 'root', name: 'ROOT' }])));
  });

  it('are those of the nearest organization that overrides a field, also for fields of the password policy', () => {
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

  it('replace lists as a whole', () => {
    const above = layer('root', { allowedDomains: ['a.example'], mfaMethods: ['sms'] });
    expect(values(above, layer('child', { allowedDomains: [], mfaMethods: ['totp'] }))).toMatchObject({
      allowedDomains: [],
      mfaMethods: ['totp'],
    });
  });

  it('require shorter passwords with MFA, unless an organization sets the minimum length', () => {
    expect(values(layer('root', { requireMfa: true })).passwordPolicy.minLength).toBe(8);
    expect(values(layer('root', { requireMfa: false })).passwordPolicy.minLength).toBe(15);
    const long = layer('root', { requireMfa: true, passwordPolicy: { minLength: 30 } });
    expect(values(long).passwordPolicy.minLength).toBe(30);
  });

  it('include the MFA methods of the specification', () => expect(MFA_METHODS).toEqual(['totp', 'sms', 'email', 'passkey']));
});

describe('a locked setting', () => {
  it.each(SETTING_FIELDS)('%s ignores the overrides of descendants, for this field only', (field) => {
    const own = { [field]: OTHERS[field] } as SettingsOverrides;
    const { values, lockedBy } = resolveSettings([layer('root', {}, [field]), layer('child', OTHERS), layer('grandchild', own)]);
    expect(values[field]).toEqual(
      // The default minimum length depends on requireMfa, which is not locked.
      field === 'passwordPolicy' ? { ...DEFAULTS.passwordPolicy, minLength: 8 } : DEFAULTS[field],
    );
    for (const other of SETTING_FIELDS.filter((each) => each !== field)) expect(values[other]).toEqual(OTHERS[other]);
    expect(lockedBy).toEqual({ [field]: { id: 'root', name: 'ROOT' } });
  });

  it('does not apply to the organization that locks it', () => {
    const { values, lockedBy } = resolveSettings([layer('root'), layer('child', { sessionTimeout: 60 }, ['sessionTimeout'])]);
    expect(values.sessionTimeout).toBe(60);
    expect(lockedBy).toEqual({});
    const below = resolveSettings([layer('root'), layer('child', { sessionTimeout: 60 }, ['sessionTimeout']), layer('last')]);
    expect([below.values.sessionTimeout, below.lockedBy]).toEqual([60, { sessionTimeout: { id: 'child', name: 'CHILD' } }]);
  });

  it('names the topmost organization that locks it', () => {
    const chain = [layer('root', {}, ['requireMfa']), layer('child', {}, ['requireMfa']), layer('last')];
    expect(resolveSettings(chain).lockedBy.requireMfa?.id).toBe('root');
  });

  it('can never be changed by a descendant, in any tree', () => {
    const overrides = fc.record(
      { sessionTimeout: fc.integer({ min: 60, max: 9_999 }), requireMfa: fc.boolean(), defaultRole: fc.constantFrom('a', 'b') },
      { requiredKeys: [] },
    );
    const locked = fc.subarray<SettingField>(['sessionTimeout', 'requireMfa', 'defaultRole']);
    const chain = fc.array(fc.tuple(overrides, locked), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(chain, overrides, (above, own) => {
        const layers = above.map(([set, locked], index) => layer(`o${index}`, set as SettingsOverrides, locked));
        const lockedFields = new Set(layers.flatMap((each) => each.locked));
        const before = resolveSettings([...layers, layer('own')]).values;
        const after = resolveSettings([...layers, layer('own', own)]).values;
        for (const field of ['sessionTimeout', 'requireMfa', 'defaultRole'] as const)
          expect(after[field]).toEqual(lockedFields.has(field) ? before[field] : (own[field] ?? before[field]));
      }),
    );
  });
});

describe('a patch of overrides', () => {
  const current: SettingsOverrides = { sessionTimeout: 60, requireMfa: true, passwordPolicy: { minLength: 12, preventReuse: 2 } };

  it('replaces the fields in the patch and leaves other fields', () => {
    expect(patchOverrides(current, { sessionTimeout: 90, allowedDomains: ['a.example'] })).toEqual({
      ...current,
      sessionTimeout: 90,
      allowedDomains: ['a.example'],
    });
    expect(patchOverrides({}, OTHERS)).toEqual(OTHERS);
    expect(patchOverrides(current, {})).toEqual(current);
  });

  it('removes overrides with null, also fields of the password policy, and the policy with its last field', () => {
    expect(patchOverrides(current, { sessionTimeout: null, requireMfa: null })).toEqual({
      passwordPolicy: current.passwordPolicy,
    });
    const shorter = patchOverrides(current, { passwordPolicy: { minLength: null } });
    expect(shorter).toEqual({ ...current, passwordPolicy: { preventReuse: 2 } });
    expect(patchOverrides(shorter, { passwordPolicy: { preventReuse: null } })).toEqual({ sessionTimeout: 60, requireMfa: true });
    expect(patchOverrides(current, { passwordPolicy: null })).toEqual({ sessionTimeout: 60, requireMfa: true });
  });

  it('merges the password policy field by field', () => {
    expect(patchOverrides(current, { passwordPolicy: { minLength: 9, requireNumbers: true } }).passwordPolicy).toEqual({
      minLength: 9,
      preventReuse: 2,
      requireNumbers: true,
    });
    expect(patchOverrides({}, { passwordPolicy: { minLength: 9 } })).toEqual({ passwordPolicy: { minLength: 9 } });
  });

  it('does not change its arguments, and ignores unknown settings', () => {
    const given = structuredClone(current);
    patchOverrides(given, { passwordPolicy: { minLength: 1 }, requireMfa: false });
    expect(given).toEqual(current);
    const foreign = { isAdmin: true, passwordPolicy: { isAdmin: true } } as never;
    expect(patchOverrides({}, foreign)).toEqual({});
  });
});
