import { describe, expect, it } from '@jest/globals';
import {
  Clock,
  GrantBeyondOwn,
  InvalidRequest,
  ReauthenticationRequired,
  type RequestContext,
  type RequestSession,
  systemContext,
} from '#platform/common';
import { AllPermissionsRequired, PrivilegesService, UserGrants } from '#directory/privileges';
import { SettingLocked } from './organization-errors.js';
import { RoleLookup } from './organization-ports.js';
import { SettingsChangeService } from './settings-change.service.js';
import { Organization } from './organization.entity.js';
import type { SettingsLayer } from './settings/settings.js';

const references = new RoleLookup();
references.register(async (_ctx, organization, reference) =>
  ['admin', 'role_1'].includes(reference) && organization.id === 'org_child'
    ? { id: 'role_1', name: 'admin', permissions: ['users:write'] }
    : undefined,
);
const clock = new Clock();
const settings = new SettingsChangeService(references, new PrivilegesService(new UserGrants(), clock), clock);

const systemCtx = systemContext('test');
const readerCtx: RequestContext = {
  ...systemCtx,
  caller: { kind: 'key', permissions: ['users:read'], organizationIds: ['org_root'] },
};
const child = (overrides: Organization['settingsOverrides'] = {}): Organization =>
  Object.assign(new Organization(), {
    tenantId: 'org_root',
    id: 'org_child',
    name: 'Child',
    ancestorIds: ['org_root'],
    settingsOverrides: overrides,
    lockedSettings: ['requireMfa'],
  });
const root = (overridden: Partial<SettingsLayer> = {}): SettingsLayer => ({
  id: 'org_root',
  name: 'Root',
  overrides: {},
  locked: [],
  ...overridden,
});

describe('SettingsChangeService', () => {
  it('replaces only the settings in the patch', async () => {
    const organization = child({ sessionTimeout: 60, requireMfa: true });
    await settings.apply(readerCtx, organization, { sessionTimeout: 90 }, [root()]);
    expect(organization.settingsOverrides).toEqual({ sessionTimeout: 90, requireMfa: true });
  });

  it('rejects a patch if an ancestor locks the setting', async () => {
    const organization = child({ sessionTimeout: 60 });
    const apply = settings.apply(systemCtx, organization, { requireMfa: true, sessionTimeout: 90 }, [
      root({ locked: ['sessionTimeout'] }),
    ]);
    await expect(apply).rejects.toThrow(SettingLocked);
    await expect(apply).rejects.toThrow(/"sessionTimeout" is locked by the organization "Root" \(org_root\)/);
    expect(organization.settingsOverrides).toEqual({ sessionTimeout: 60 });
  });

  it('removes the override of a locked setting', async () => {
    const organization = child({ sessionTimeout: 60 });
    await settings.apply(systemCtx, organization, { sessionTimeout: null, requireMfa: true }, [
      root({ locked: ['sessionTimeout'] }),
    ]);
    expect(organization.settingsOverrides).toEqual({ requireMfa: true });
    await settings.apply(systemCtx, organization, { requireMfa: false }, [root({ locked: ['sessionTimeout'] })]);
    expect(organization.settingsOverrides).toEqual({ requireMfa: false });
  });

  it('accepts the values of locked settings, as responses show them', async () => {
    const overrides = { passwordPolicy: { minLength: 16 }, allowedDomains: ['bücher.example'], sessionTimeout: 60 };
    const ancestors = [root({ overrides, locked: ['passwordPolicy', 'allowedDomains', 'sessionTimeout'] })];
    const organization = child();
    const passwordPolicy = { minLength: 16, requireNumbers: undefined } as object;
    const patch = { passwordPolicy, allowedDomains: ['xn--bcher-kva.example'], sessionTimeout: 60, requireMfa: true };
    await settings.apply(systemCtx, organization, patch, ancestors);
    expect(organization.settingsOverrides).toEqual({ requireMfa: true });
    for (const patch of [{ passwordPolicy: { minLength: 17 } }, { allowedDomains: ['other.example'] }, { sessionTimeout: 61 }])
      await expect(settings.apply(systemCtx, child(), patch, ancestors)).rejects.toThrow(SettingLocked);
  });

  it('stores the ID of the default role', async () => {
    const organization = child();
    await settings.apply(systemCtx, organization, { defaultRole: 'admin' }, [root()]);
    expect(organization.settingsOverrides).toEqual({ defaultRole: 'role_1' });
    await settings.apply(readerCtx, organization, { defaultRole: null }, [root()]);
    expect(organization.settingsOverrides).toEqual({});
  });

  it('rejects a default role with permissions that the caller lacks', async () => {
    const apply = settings.apply(readerCtx, child(), { defaultRole: 'admin' }, [root()]);
    await expect(apply).rejects.toThrow(GrantBeyondOwn);
    await expect(apply).rejects.toThrow(/The role "admin" .*users:write/);
  });

  it('rejects an unknown default role', async () => {
    const apply = settings.apply(systemCtx, child(), { defaultRole: 'other' }, [root()]);
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

describe('SettingsChangeService.apply', () => {
  const signedIn = (minutesAgo: number, overrides: Partial<RequestContext> = {}): RequestContext => ({
    ...systemCtx,
    session: { authenticatedAt: new Date(Date.now() - minutesAgo * 60_000) } as RequestSession,
    ipAddress: '192.0.2.7',
    ...overrides,
  });
  const patches = [
    { requireMfa: true },
    { mfaMethods: ['totp' as const] },
    { allowedDomains: ['example.com'] },
    { allowedNetworks: ['192.0.2.0/24'] },
    { allowedNetworks: null },
  ];

  it.each(patches)('requires a recent sign-in for the patch %j', async (patch) => {
    await expect(settings.apply(signedIn(11), child(), patch, [root()])).rejects.toThrow(ReauthenticationRequired);
    await expect(settings.apply(signedIn(9), child(), patch, [root()])).resolves.toBeUndefined();
    await expect(settings.apply(systemCtx, child(), patch, [root()])).resolves.toBeUndefined();
  });

  it('requires no recent sign-in for the session timeout', async () => {
    await expect(settings.apply(signedIn(11), child(), { sessionTimeout: 90 }, [root()])).resolves.toBeUndefined();
  });

  it('rejects an inherited default role with permissions that the caller lacks', async () => {
    const ancestors = [root({ overrides: { defaultRole: 'role_1' } })];
    await expect(settings.apply(readerCtx, child(), { defaultRole: null }, ancestors)).rejects.toThrow(
      /The role "admin" .*users:write/,
    );
    await expect(settings.apply(systemCtx, child(), { defaultRole: null }, ancestors)).resolves.toBeUndefined();
    await expect(settings.apply(readerCtx, child(), { sessionTimeout: 90 }, ancestors)).resolves.toBeUndefined();
  });

  it('requires all permissions to change the allowed networks', async () => {
    for (const allowedNetworks of [['192.0.2.0/24'], [], null]) {
      const apply = settings.apply(readerCtx, child(), { allowedNetworks }, [root()]);
      await expect(apply).rejects.toThrow(AllPermissionsRequired);
      await expect(apply).rejects.toThrow(/^Changing allowedNetworks requires all permissions/);
    }
  });

  it('rejects an invalid network', async () => {
    await expect(settings.apply(systemCtx, child(), { allowedNetworks: ['example.com'] }, [root()])).rejects.toMatchObject({
      errors: [{ pointer: expect.stringMatching(/^\/settings\/allowedNetworks/) }],
    });
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    [undefined, 'unknown'],
  ])('rejects networks without the IP address of the request (%s)', async (ipAddress, reported) => {
    const { ipAddress: _, ...withoutAddress } = signedIn(0);
    const ctx = ipAddress === undefined ? withoutAddress : signedIn(0, { ipAddress });
    const message = `allowedNetworks must include the address of this request (${reported}), or you would lock yourself out.`;
    const lockedOut = { errors: [{ pointer: '/settings/allowedNetworks', in: 'body', code: 'locks_you_out', message }] };
    await expect(settings.apply(ctx, child(), { allowedNetworks: ['10.0.0.0/8'] }, [root()])).rejects.toMatchObject(lockedOut);
    const ancestors = [root({ overrides: { allowedNetworks: ['10.0.0.0/8'] } })];
    await expect(settings.apply(ctx, child(), { allowedNetworks: null }, ancestors)).rejects.toMatchObject(lockedOut);
    await expect(settings.apply(ctx, child(), { allowedNetworks: [] }, ancestors)).resolves.toBeUndefined();
    await expect(settings.apply(systemCtx, child(), { allowedNetworks: ['10.0.0.0/8'] }, [root()])).resolves.toBeUndefined();
  });
});

describe('SettingsChangeService.resolve', () => {
  it('applies unsaved overrides to the settings of the ancestors', () => {
    const ancestors = [root({ overrides: { requireMfa: true, sessionTimeout: 60 } })];
    const { values, sources } = settings.resolve(child({ sessionTimeout: 90 }), ancestors);
    expect(values).toMatchObject({ requireMfa: true, sessionTimeout: 90 });
    expect(sources).toMatchObject({ requireMfa: { id: 'org_root' }, sessionTimeout: { id: 'org_child', name: 'Child' } });
    expect(settings.values(child({ sessionTimeout: 90 }), ancestors)).toEqual(values);
  });
});
