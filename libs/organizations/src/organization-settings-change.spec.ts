import { describe, expect, it } from '@jest/globals';
import { Clock, GrantBeyondOwn, InvalidRequest, type RequestContext, systemContext } from '#common';
import { SettingLocked } from './organization-errors.js';
import { RoleReferences } from './organization-ports.js';
import { OrganizationSettingsChange } from './organization-settings-change.js';
import { Organization } from './organization.entity.js';
import type { SettingsLayer } from './settings/settings.js';

const references = new RoleReferences();
references.register(async (_ctx, organization, reference) =>
  reference === 'admin' && organization.id === 'org_child'
    ? { id: 'role_1', name: 'admin', permissions: ['users:write'] }
    : undefined,
);
const settings = new OrganizationSettingsChange(references, new Clock());

const all = systemContext('test');
const reader: RequestContext = { ...all, caller: { kind: 'key', permissions: ['users:read'], organizationIds: ['org_root'] } };
const child = (overrides: Organization['settingsOverrides'] = {}): Organization =>
  Object.assign(new Organization(), {
    tenantId: 'org_root',
    id: 'org_child',
    name: 'Child',
    ancestorIds: ['org_root'],
    settingsOverrides: overrides,
    lockedSettings: ['requireMfa'],
  });
const root = (more: Partial<SettingsLayer> = {}): SettingsLayer => ({
  id: 'org_root',
  name: 'Root',
  overrides: {},
  locked: [],
  ...more,
});

describe('a change of settings', () => {
  it('replaces what it names and leaves the rest', async () => {
    const organization = child({ sessionTimeout: 60, requireMfa: true });
    await settings.apply(reader, organization, { sessionTimeout: 90 }, [root()]);
    expect(organization.settingsOverrides).toEqual({ sessionTimeout: 90, requireMfa: true });
  });

  it('is refused whole where one above locked a field of it', async () => {
    const organization = child({ sessionTimeout: 60 });
    const apply = settings.apply(all, organization, { requireMfa: true, sessionTimeout: 90 }, [
      root({ locked: ['sessionTimeout'] }),
    ]);
    await expect(apply).rejects.toThrow(SettingLocked);
    await expect(apply).rejects.toThrow(/"sessionTimeout" is locked by the organization "Root" \(org_root\)/);
    expect(organization.settingsOverrides).toEqual({ sessionTimeout: 60 });
  });

  it('may inherit a locked field again, and change others', async () => {
    const organization = child({ sessionTimeout: 60 });
    await settings.apply(all, organization, { sessionTimeout: null, requireMfa: true }, [root({ locked: ['sessionTimeout'] })]);
    expect(organization.settingsOverrides).toEqual({ requireMfa: true });
    await settings.apply(all, organization, { requireMfa: false }, [root({ locked: ['sessionTimeout'] })]);
    expect(organization.settingsOverrides).toEqual({ requireMfa: false });
  });

  it('keeps the id of a default role that is given by its name', async () => {
    const organization = child();
    await settings.apply(all, organization, { defaultRole: 'admin' }, [root()]);
    expect(organization.settingsOverrides).toEqual({ defaultRole: 'role_1' });
    await settings.apply(reader, organization, { defaultRole: null }, [root()]);
    expect(organization.settingsOverrides).toEqual({});
  });

  it('does not hand on permissions that the caller lacks', async () => {
    const apply = settings.apply(reader, child(), { defaultRole: 'admin' }, [root()]);
    await expect(apply).rejects.toThrow(GrantBeyondOwn);
    await expect(apply).rejects.toThrow(/The role "admin" .*users:write/);
  });

  it('names a default role that is not visible', async () => {
    const apply = settings.apply(all, child(), { defaultRole: 'other' }, [root()]);
    await expect(apply).rejects.toThrow(InvalidRequest);
    await expect(apply).rejects.toMatchObject({
      errors: [
        {
          pointer: '/settings/defaultRole',
          in: 'body',
          code: 'role_not_found',
          message: 'defaultRole "other" is not a role of this organization or one of its ancestors.',
        },
      ],
    });
  });
});

describe('settings of an organization in memory', () => {
  it('follow those above, with its own on top', () => {
    const above = [root({ overrides: { requireMfa: true, sessionTimeout: 60 } })];
    const { values, sources } = settings.resolve(child({ sessionTimeout: 90 }), above);
    expect(values).toMatchObject({ requireMfa: true, sessionTimeout: 90 });
    expect(sources).toMatchObject({ requireMfa: { id: 'org_root' }, sessionTimeout: { id: 'org_child', name: 'Child' } });
    expect(settings.values(child({ sessionTimeout: 90 }), above)).toEqual(values);
  });
});
