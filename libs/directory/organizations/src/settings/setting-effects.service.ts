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
export const SECURITY_FIELDS = [
  'requireMfa',
  'mfaMethods',
  'ssoRequired',
  'allowedDomains',
  'allowedNetworks',
  'impersonationApproval',
  'applicationApproval',
  'clientIdMetadataDomains',
  'dynamicClientRegistration',
] as const;

/** Settings that decide who can register, and gets the default role. */
const REGISTRATION_FIELDS: readonly SettingField[] = ['allowPublicSignup', 'allowedDomains'];

/**
 * Some settings could lock out users with more permissions than the caller, or their end could expose these users. Owners decide about
 * applications, so nobody else can change this rule.
 */
const RULES: Partial<Record<SettingField, Pick<PolicyChange, 'needsAll'>>> = {
  allowedNetworks: { needsAll: true },
  ssoRequired: { needsAll: true },
  applicationApproval: { needsAll: true },
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
   * Changes of settings and locks need the permission without break-glass access, because they stay when the access ends. A lock can end
   * settings of descendants, also of deleted ones, and its end can bring them back. `organization` has the unsaved change.
   * @throws the errors of `authorize`
   */
  async authorizeChange(
    ctx: RequestContext,
    organization: Organization,
    previous: Pick<SettingsLayer, 'overrides' | 'locked'>,
    ancestorLayers: readonly SettingsLayer[],
  ): Promise<PolicyAuthorization> {
    const next = { overrides: organization.settingsOverrides, locked: organization.lockedSettings };
    const changed = SETTING_FIELDS.filter((field) => !isDeepStrictEqual(previous.overrides[field], next.overrides[field]));
    const locks = SETTING_FIELDS.filter((field) => previous.locked.includes(field) !== next.locked.includes(field));
    const policy = this.privileges.authorizePolicies(ctx, [
      ...changed
        .filter((field) => field !== 'defaultLocale')
        .map((field) => ({ organization, setting: field, ...RULES[field], needsProof: false })),
      ...locks.map((field) => ({ organization, setting: `the lock of ${field}`, needsProof: false })),
    ]);
    const opensRegistration = changed.some((field) => REGISTRATION_FIELDS.includes(field));
    if (locks.length === 0 && !opensRegistration) return policy;
    const { id, name, tenantId, ancestorIds } = organization;
    const nodes = await this.previewQuery.listSubtreeWithDeleted(ctx, organization);
    const resolve = (own: Pick<SettingsLayer, 'overrides' | 'locked'>) =>
      resolveTree(
        ancestorLayers,
        nodes.map((node) => (node.id === id ? { ...node, name, ancestorIds, ...own } : node)),
      );
    const effects = (own: Pick<SettingsLayer, 'overrides' | 'locked'>): SettingsEffect[] => {
      const [before, after] = [resolve(own), resolve(next)];
      return nodes
        .map((node) => ({ node, before: before.get(node.id)!, after: after.get(node.id)! }))
        .filter((each) => each.before !== each.after)
        .map(({ node, ...each }) => effectOf(node, tenantId, each.before.values, each.after.values));
    };
    await this.authorizeRegistration(ctx, effects(previous));
    const ofLocks = effects({ ...next, locked: previous.locked });
    return this.authorize(
      ctx,
      ofLocks.filter((effect) => effect.organization.id !== id),
    );
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
    await this.authorizeRegistration(ctx, changed);
    return this.privileges.authorizePolicies(ctx, policies);
  }

  /**
   * Where more people can register themselves, the caller needs the permissions of the role that they get.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async authorizeRegistration(ctx: RequestContext, effects: readonly SettingsEffect[]): Promise<PolicyAuthorization> {
    for (const { organization, before, after, movedTo = organization } of effects) {
      const isOpened = REGISTRATION_FIELDS.some((field) => !isDeepStrictEqual(before[field], after[field]));
      if (!after.allowPublicSignup || !isOpened) continue;
      const role = await this.roleLookup.find(ctx, movedTo, after.defaultRole);
      if (role) this.privileges.authorizeDefaultRole(ctx, organization, role);
    }
    return this.privileges.authorizePolicies(ctx, []);
  }
}

const effectOf = (
  { id, name, ancestorIds }: SettingsNode,
  tenantId: string,
  before: OrganizationSettings,
  after: OrganizationSettings,
): SettingsEffect => ({ organization: { id, name, tenantId, ancestorIds }, before, after });
