import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { PrivilegesService } from '#directory/privileges';
import { SsoProviderRulesService } from '../identity-providers/sso-provider-rules.service.js';
import type { Organization } from '../organization.entity.js';
import { type SettingsNode, SettingsPreviewQuery } from './settings-preview.query.js';
import { resolveTree } from './settings-tree.js';
import type { SettingsLayer } from './settings.js';

/** The settings and locks of an organization before a change. */
export type PreviousSettings = Pick<SettingsLayer, 'overrides' | 'locked'>;

/** Decides about changes of `ssoRequired` and of its lock. */
@Injectable()
export class SsoSettingRulesService {
  constructor(
    private readonly previewQuery: SettingsPreviewQuery,
    private readonly providerRules: SsoProviderRulesService,
    private readonly privileges: PrivilegesService,
  ) {}

  /**
   * Asserts that the caller can change `ssoRequired` of an organization and its descendants, and that its users can sign in afterwards.
   * `organization` has the unsaved change. A caller with fewer permissions could lock out users with more permissions, or end a rule that
   * protects their accounts.
   * @throws AllPermissionsRequired (403), ReauthenticationRequired (401), SsoProviderMissing (409)
   */
  async assertAllowed(
    ctx: RequestContext,
    organization: Organization,
    previous: PreviousSettings,
    ancestorLayers: readonly SettingsLayer[],
  ): Promise<void> {
    const next = { overrides: organization.settingsOverrides, locked: organization.lockedSettings };
    const changesOverride = previous.overrides.ssoRequired !== next.overrides.ssoRequired;
    const changesLock = isLocked(previous) !== isLocked(next);
    if (!changesOverride && !changesLock) return;
    await this.providerRules.lock(ctx, organization.tenantId);
    const { id, name, ancestorIds } = organization;
    const saved = await this.previewQuery.listSubtree(ctx, organization);
    const descendants = saved.filter((node) => node.id !== id);
    const treeWith = (own: PreviousSettings): SettingsNode[] => [
      { id, name, ancestorIds, isDeleted: false, ...own },
      ...descendants,
    ];
    const [before, after] = [resolveTree(ancestorLayers, treeWith(previous)), resolveTree(ancestorLayers, treeWith(next))];
    const requires = (resolved: typeof before, node: SettingsNode): boolean => resolved.get(node.id)?.values.ssoRequired ?? false;
    const tree = treeWith(next);
    if (changesOverride || tree.some((node) => requires(before, node) !== requires(after, node)))
      this.privileges.authorizePolicies(ctx, [{ organization, setting: 'ssoRequired', needsAll: true }]);
    const affected = tree.filter((node) => requires(after, node) && !requires(before, node));
    await this.providerRules.assertProviders(ctx, organization.tenantId, affected);
  }
}

const isLocked = ({ locked }: PreviousSettings): boolean => locked.includes('ssoRequired');
