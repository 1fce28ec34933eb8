import { Injectable } from '@nestjs/common';
import { type Changes, changesBetween, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { EffectiveSettingsService } from '../effective-settings.service.js';
import { OrganizationRepository } from '../organization.repository.js';
import { SettingsChangeService } from '../settings-change.service.js';
import type { ResolvedSettings } from './settings.js';
import { NO_AFFECTED_USERS, type NoncompliantUsers, SettingsPreviewQuery } from './settings-preview.query.js';
import { SsoSettingRulesService } from './sso-setting-rules.service.js';
import { resolveTree, valuesByPath } from './settings-tree.js';
import type { PreviewSettingsRequest } from './settings-explained.requests.js';

export interface PreviewedOrganization {
  id: string;
  name: string;
  /** The changed values, by field. Fields of the password policy are named `passwordPolicy.minLength` and so on. */
  changes: Changes;
  /** Number of users that the organization manages. */
  userCount: number;
  usersOutOfLine: NoncompliantUsers;
}

/** Returns the sources of effective settings, and previews a settings change. */
@Injectable()
export class SettingsExplainedService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly organizations: OrganizationRepository,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly ssoSettingRules: SsoSettingRulesService,
    private readonly previewQuery: SettingsPreviewQuery,
  ) {}

  explain(ctx: RequestContext): Promise<ResolvedSettings> {
    return this.effectiveSettings.get(ctx, organizationOf(ctx));
  }

  /**
   * Returns the organizations whose effective settings a change would affect. Saves nothing.
   * @throws the errors of `SettingsChangeService.apply` and `SsoSettingRulesService.assertAllowed`
   */
  async preview(ctx: RequestContext, request: PreviewSettingsRequest): Promise<PreviewedOrganization[]> {
    return this.transactions.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      const organization = await this.organizations.findLive(ctx, scope);
      if (!organization) throw new ResourceNotFound('organization', scope.id);
      const ancestorLayers = await this.effectiveSettings.ancestorLayers(ctx, scope);
      const tree = await this.previewQuery.listSubtree(ctx, scope);
      const before = resolveTree(ancestorLayers, tree);
      const previous = { overrides: organization.settingsOverrides, locked: organization.lockedSettings };
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, ancestorLayers);
      organization.lockedSettings = request.lockedSettings ?? organization.lockedSettings;
      await this.ssoSettingRules.assertAllowed(ctx, organization, previous, ancestorLayers);
      const changed = { overrides: organization.settingsOverrides, locked: organization.lockedSettings };
      const after = resolveTree(
        ancestorLayers,
        tree.map((node) => (node.id === scope.id ? { ...node, ...changed } : node)),
      );
      const affected = tree
        .flatMap(({ id, name }) => {
          const [previous, next] = [before.get(id), after.get(id)];
          return previous && next ? [{ id, name, before: previous.values, after: next.values }] : [];
        })
        .map((node) => ({ ...node, changes: changesBetween(valuesByPath(node.before), valuesByPath(node.after)) }))
        .filter(({ changes }) => Object.keys(changes).length > 0);
      const users = await this.previewQuery.countAffectedUsers(ctx, scope.tenantId, affected);
      return affected.map(({ id, name, changes }) => ({ id, name, changes, ...(users.get(id) ?? NO_AFFECTED_USERS) }));
    });
  }
}
