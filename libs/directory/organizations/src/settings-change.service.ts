import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  Clock,
  InvalidRequest,
  isInNetworks,
  normalizedNetworks,
  ownPermissionsAt,
  permissionsBeyond,
  type RequestContext,
  unicodeDomain,
} from '#platform/common';
import { AllPermissionsRequired, PrivilegesService } from '#directory/privileges';
import { SettingLocked } from './organization-errors.js';
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
import { SECURITY_FIELDS } from './settings/setting-effects.service.js';

/** Checks and applies changes of settings. */
@Injectable()
export class SettingsChangeService {
  constructor(
    private readonly roleLookup: RoleLookup,
    private readonly privileges: PrivilegesService,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies a patch to the overrides of an organization without saving the organization. Replaces the name of a default role by the role
   * id.
   * @throws SettingLocked (422) if an ancestor locks a setting
   * @throws GrantBeyondOwn (403) if the default role has permissions that the caller lacks
   * @throws ReauthenticationRequired (401) for a change of security settings
   * @throws AllPermissionsRequired (403) for a change of networks by a caller who lacks a permission
   * @throws InvalidRequest (400) if the default role is not visible, a network is invalid, or the networks exclude the caller
   */
  async apply(
    ctx: RequestContext,
    organization: Organization,
    request: SettingsPatch,
    ancestorLayers: readonly SettingsLayer[],
  ): Promise<void> {
    const patch = withoutLocked(request, this.resolve(organization, ancestorLayers));
    if (SECURITY_FIELDS.some((field) => patch[field] !== undefined)) assertRecentlyAuthenticated(ctx, this.clock.now());
    const defaultRole =
      typeof patch.defaultRole === 'string' ? await this.roleId(ctx, organization, patch.defaultRole) : patch.defaultRole;
    const allowedNetworks = patch.allowedNetworks && normalizedNetworks(patch.allowedNetworks, '/settings/allowedNetworks');
    const changed = patchOverrides(organization.settingsOverrides, { ...patch, defaultRole, allowedNetworks });
    organization.settingsOverrides = changed;
    if (patch.allowedNetworks !== undefined)
      assertCanLimitNetworks(ctx, organization, this.values(organization, ancestorLayers).allowedNetworks);
    if (patch.defaultRole === null)
      await this.assertDefaultDelegable(ctx, organization, this.values(organization, ancestorLayers).defaultRole);
  }

  /** Returns the effective settings of an organization, including unsaved changes. */
  resolve(organization: Organization, ancestorLayers: readonly SettingsLayer[]): ResolvedSettings {
    const ownLayer = {
      id: organization.id,
      name: organization.name,
      overrides: organization.settingsOverrides,
      locked: organization.lockedSettings,
    };
    return resolveSettings([...ancestorLayers, ownLayer]);
  }

  values(organization: Organization, ancestorLayers: readonly SettingsLayer[]): OrganizationSettings {
    return this.resolve(organization, ancestorLayers).values;
  }

  /** Asserts that the caller can assign the inherited default role, which new members get. */
  private async assertDefaultDelegable(ctx: RequestContext, organization: Organization, id: string): Promise<void> {
    const role = await this.roleLookup.find(ctx, organization, id);
    if (role) this.privileges.authorizeRole(ctx, organization, role);
  }

  private async roleId(ctx: RequestContext, organization: Organization, reference: string): Promise<string> {
    const role = await this.roleLookup.find(ctx, organization, reference);
    if (role) {
      this.privileges.authorizeRole(ctx, organization, role);
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

/**
 * Returns the patch without locked settings that have the value already, so that settings can be sent as they were read.
 * @throws SettingLocked (422) for another value of a locked setting
 */
function withoutLocked(patch: SettingsPatch, { values, lockedBy }: ResolvedSettings): SettingsPatch {
  const allowed = { ...patch };
  for (const field of SETTING_FIELDS) {
    const ancestor = lockedBy[field];
    const value = patch[field];
    // Null removes the override of a locked setting.
    if (!ancestor || value === undefined || value === null) continue;
    const current = values[field];
    if (!isDeepStrictEqual(shown(field, value, current), current)) throw new SettingLocked(field, ancestor);
    delete allowed[field];
  }
  return allowed;
}

/** Returns a value of a request as responses show it. */
function shown(field: keyof OrganizationSettings, value: unknown, current: unknown): unknown {
  if (field === 'passwordPolicy') return { ...(current as object), ...definedParts(value as object) };
  return field === 'allowedDomains' ? (value as string[]).map(unicodeDomain) : value;
}

/** Returns the parts of the password policy that the request contains. */
const definedParts = (policy: object): object =>
  Object.fromEntries(Object.entries(policy).filter(([, part]) => part !== undefined));

/**
 * Asserts that the caller has all permissions and is in one of the networks. The networks could otherwise lock out the caller or users with
 * more permissions.
 * @throws AllPermissionsRequired (403), InvalidRequest (400)
 */
function assertCanLimitNetworks(
  ctx: RequestContext,
  organization: Pick<Organization, 'id' | 'ancestorIds'>,
  networks: readonly string[],
): void {
  const { caller, session, ipAddress, isProxyAddress } = ctx;
  if (permissionsBeyond(ownPermissionsAt(caller, organization), ['*']).length > 0)
    throw new AllPermissionsRequired('allowedNetworks');
  if (!session || networks.length === 0 || isInNetworks(ctx, networks)) return;
  const message = `allowedNetworks must include the address of this request (${(!isProxyAddress && ipAddress) || 'unknown'}), or you would lock yourself out.`;
  throw new InvalidRequest([{ pointer: '/settings/allowedNetworks', in: 'body', code: 'locks_you_out', message }]);
}
