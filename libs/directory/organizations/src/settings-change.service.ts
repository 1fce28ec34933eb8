import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  assertRoleGrantable,
  Clock,
  InvalidRequest,
  isInNetworks,
  normalizedNetworks,
  ownPermissionsAt,
  permissionsBeyond,
  type RequestContext,
} from '#platform/common';
import { AllPermissionsRequired, SettingLocked } from './organization-errors.js';
import type { Organization } from './organization.entity.js';
import { RoleLookup } from './organization-ports.js';
import {
  type OrganizationSettings,
  patchOverrides,
  type ResolvedSettings,
  resolveSettings,
  SETTING_FIELDS,
  type SettingsLayer,
  type SettingsPatch,
} from './settings/settings.js';

/** Judges and applies a change of settings, the same way for creation and update. */
@Injectable()
export class SettingsChangeService {
  constructor(
    private readonly roleLookup: RoleLookup,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the organization's overrides in memory. A role may be given by its name; its id is kept.
   * @throws SettingLocked (422) when one above forbids it
   * @throws GrantBeyondOwn (403) when the default role holds more than the caller, ReauthenticationRequired (401) when it holds everything
   * @throws InvalidRequest (400) when the default role is not visible in the organization, when a network is none, and when a user would
   * lock themselves out with the networks
   */
  async apply(
    ctx: RequestContext,
    organization: Organization,
    patch: SettingsPatch,
    above: readonly SettingsLayer[],
  ): Promise<void> {
    const { lockedBy } = this.resolve(organization, above);
    for (const field of SETTING_FIELDS) {
      const by = lockedBy[field];
      // Inheriting again is no override, so a lock does not stand in its way.
      if (by && patch[field] !== undefined && patch[field] !== null) throw new SettingLocked(field, by);
    }
    if (SECURITY_FIELDS.some((field) => patch[field] !== undefined)) assertRecentlyAuthenticated(ctx, this.clock.now());
    const defaultRole =
      typeof patch.defaultRole === 'string' ? await this.roleId(ctx, organization, patch.defaultRole) : patch.defaultRole;
    const allowedNetworks = patch.allowedNetworks && normalizedNetworks(patch.allowedNetworks, '/settings/allowedNetworks');
    const changed = patchOverrides(organization.settingsOverrides, { ...patch, defaultRole, allowedNetworks });
    organization.settingsOverrides = changed;
    if (patch.allowedNetworks !== undefined)
      assertMayLimitNetworks(ctx, organization, this.values(organization, above).allowedNetworks);
    if (patch.defaultRole === null)
      await this.assertDefaultGrantable(ctx, organization, this.values(organization, above).defaultRole);
  }

  /** Settings of an organization as it stands in memory. */
  resolve(organization: Organization, above: readonly SettingsLayer[]): ResolvedSettings {
    const own = {
      id: organization.id,
      name: organization.name,
      overrides: organization.settingsOverrides,
      locked: organization.lockedSettings,
    };
    return resolveSettings([...above, own]);
  }

  values(organization: Organization, above: readonly SettingsLayer[]): OrganizationSettings {
    return this.resolve(organization, above).values;
  }

  /** A default role that is inherited again is handed on to those who join, as one that is chosen. */
  private async assertDefaultGrantable(ctx: RequestContext, organization: Organization, id: string): Promise<void> {
    const role = await this.roleLookup.find(ctx, organization, id);
    if (role) assertRoleGrantable(ctx, organization, role, this.clock.now());
  }

  private async roleId(ctx: RequestContext, organization: Organization, reference: string): Promise<string> {
    const role = await this.roleLookup.find(ctx, organization, reference);
    if (role) {
      // Whoever joins gets the default role, so choosing it hands its permissions on.
      assertRoleGrantable(ctx, organization, role, this.clock.now());
      return role.id;
    }
    throw new InvalidRequest([
      {
        pointer: '/settings/defaultRole',
        in: 'body',
        code: 'role_not_found',
        message: `defaultRole "${reference}" is not a role of this organization or one of its ancestors.`,
      },
    ]);
  }
}

/** Settings that keep strangers out: a stolen session must not loosen them. */
const SECURITY_FIELDS = ['requireMfa', 'mfaMethods', 'allowedDomains', 'allowedNetworks'] as const;

/**
 * Networks bind everybody in the organization, so that who sets them must hold all permissions there, and must not be locked out by them.
 * @throws AllPermissionsNeeded (403), InvalidRequest (400)
 */
function assertMayLimitNetworks(
  { caller, session, ipAddress }: RequestContext,
  organization: Pick<Organization, 'id' | 'ancestorIds'>,
  networks: readonly string[],
): void {
  if (permissionsBeyond(ownPermissionsAt(caller, organization), ['*']).length > 0)
    throw new AllPermissionsRequired('allowedNetworks');
  if (!session || networks.length === 0 || isInNetworks(ipAddress, networks)) return;
  const message = `allowedNetworks must include the address of this request (${ipAddress ?? 'unknown'}), or you would lock yourself out.`;
  throw new InvalidRequest([{ pointer: '/settings/allowedNetworks', in: 'body', code: 'locks_you_out', message }]);
}
