import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { type PolicyAuthorization, type PolicyChange, PrivilegesService } from '#directory/privileges';
import type { Organization } from '../organization.entity.js';
import { RoleLookup } from '../organization-ports.js';
import { SessionRequirementsQuery } from '../session-requirements.query.js';
import { type SettingsNode, SettingsPreviewQuery } from './settings-preview.query.js';
import { resolveTree } from './settings-tree.js';
import { type OrganizationSettings, SETTING_FIELDS, type SettingField, type SettingsLayer } from './settings.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'name' | 'tenantId' | 'ancestorIds'>;

/** The settings that apply in an organization before and after a change. */
export interface SettingsEffect {
  /** The organization before the change, in which the permissions of the caller count. */
  readonly organization: OrganizationRef;
  readonly before: OrganizationSettings;
  readonly after: OrganizationSettings;
  /** The organization after the change, in which the default role is visible. */
  readonly movedTo?: OrganizationRef;
}

/** Settings that restrict access. Changes require a recent sign-in, so that a stolen session can't change them. */
export const SECURITY_FIELDS = ['requireMfa', 'mfaMethods', 'ssoRequired', 'allowedDomains', 'allowedNetworks'] as const;

/** Some settings could lock out users with more permissions than the caller, or their end could expose these users. */
const RULES: Partial<Record<SettingField, Pick<PolicyChange, 'needsAll'>>> = {
  allowedNetworks: { needsAll: true },
  ssoRequired: { needsAll: true },
};

/**
 * Decides about changes of the settings that apply in organizations, wherever the change comes from: locks and moves need what the change in
 * each affected organization needs.
 */
@Injectable()
export class SettingEffectsService {
  constructor(
    private readonly privileges: PrivilegesService,
    private readonly roleLookup: RoleLookup,
    private readonly previewQuery: SettingsPreviewQuery,
    private readonly sessionRequirements: SessionRequirementsQuery,
  ) {}

  /**
   * A lock can end settings of descendants, and its end can bring them back. `organization` has the unsaved change.
   * @throws the errors of `authorize`
   */
  async authorizeLocks(
    ctx: RequestContext,
    organization: Organization,
    previous: Pick<SettingsLayer, 'overrides' | 'locked'>,
    ancestorLayers: readonly SettingsLayer[],
  ): Promise<PolicyAuthorization> {
    const next = { overrides: organization.settingsOverrides, locked: organization.lockedSettings };
    const isLockChanged = (field: SettingField): boolean => previous.locked.includes(field) !== next.locked.includes(field);
    if (!SETTING_FIELDS.some(isLockChanged)) return this.authorize(ctx, []);
    const { id, name, tenantId, ancestorIds } = organization;
    const descendants = (await this.previewQuery.listSubtree(ctx, organization)).filter((node) => node.id !== id);
    const resolve = (own: Pick<SettingsLayer, 'overrides' | 'locked'>) =>
      resolveTree(ancestorLayers, [{ id, name, ancestorIds, ...own }, ...descendants]);
    const [before, after] = [resolve({ ...next, locked: previous.locked }), resolve(next)];
    const effects = descendants
      .map((node) => ({ node, before: before.get(node.id)!, after: after.get(node.id)! }))
      .filter((each) => each.before !== each.after)
      .map(({ node, ...each }) => effectOf(node, tenantId, each.before.values, each.after.values));
    return this.authorize(ctx, effects);
  }

  /**
   * Authorizes changes of the settings that apply in organizations.
   * @throws AffectedOrganizationInaccessible, AllPermissionsRequired, GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async authorize(ctx: RequestContext, effects: readonly SettingsEffect[]): Promise<PolicyAuthorization> {
    const changed = effects.filter(({ before, after }) => !isDeepStrictEqual(before, after));
    await this.sessionRequirements.assertMet(
      ctx,
      changed.map(({ organization }) => organization),
    );
    const policies: PolicyChange[] = [];
    const roles = new Map<string, Awaited<ReturnType<RoleLookup['find']>>>();
    for (const { organization, before, after, movedTo = organization } of changed) {
      const isChanged = (field: SettingField): boolean => !isDeepStrictEqual(before[field], after[field]);
      policies.push(...SECURITY_FIELDS.filter(isChanged).map((setting) => ({ organization, setting, ...RULES[setting] })));
      if (!isChanged('defaultRole')) continue;
      const role = roles.get(after.defaultRole) ?? (await this.roleLookup.find(ctx, movedTo, after.defaultRole));
      roles.set(after.defaultRole, role);
      const what = `The default role "${role?.name}" of the organization "${movedTo.name}"`;
      if (role) this.privileges.authorizePermissions(ctx, organization, what, role.permissions);
    }
    return this.privileges.authorizePolicies(ctx, policies);
  }
}

const effectOf = (
  { id, name, ancestorIds }: SettingsNode,
  tenantId: string,
  before: OrganizationSettings,
  after: OrganizationSettings,
): SettingsEffect => ({ organization: { id, name, tenantId, ancestorIds }, before, after });
