import { Injectable } from '@nestjs/common';
import { type Changes, changesBetween, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { EffectiveSettingsService } from '../effective-settings.service.js';
import { OrganizationRepository } from '../organization.repository.js';
import { SettingsChangeService } from '../settings-change.service.js';
import { POLICY_FIELDS, type ResolvedSettings, resolveSettings, type SettingsLayer } from './settings.js';
import { SettingsPreviewQuery, type SettingsNode, type AffectedUsers, type NoncompliantUsers } from './settings-preview.query.js';
import type { PreviewSettingsRequest } from './settings-explained.requests.js';

export interface PreviewedOrganization {
  id: string;
  name: string;
  /** By field; those of the password policy as `passwordPolicy.minLength` and so on. */
  changes: Changes;
  /** How many users it manages. */
  userCount: number;
  usersOutOfLine: NoncompliantUsers;
}

const NOBODY: AffectedUsers = {
  userCount: 0,
  usersOutOfLine: { withoutMfa: 0, domainNotAllowed: 0, passwordOlderThanPolicy: 0 },
};

/** Explains settings: where each value comes from, and what a change would do. */
@Injectable()
export class SettingsExplainedService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly organizations: OrganizationRepository,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly previewQuery: SettingsPreviewQuery,
  ) {}

  /** Values with their sources, in one statement. */
  explain(ctx: RequestContext): Promise<ResolvedSettings> {
    return this.effectiveSettings.get(ctx, organizationOf(ctx));
  }

  /**
   * What a change of settings would do here and below, without making it: the same checks, the same rules.
   * @throws SettingLocked (422), InvalidRequest (400) as the change itself would
   */
  async preview(ctx: RequestContext, request: PreviewSettingsRequest): Promise<PreviewedOrganization[]> {
    return this.transactions.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      const organization = await this.organizations.findLive(ctx, scope);
      if (!organization) throw new ResourceNotFound('organization', scope.id);
      const above = await this.effectiveSettings.ancestorLayers(ctx, scope);
      const tree = await this.previewQuery.listSubtree(ctx, scope);
      const before = resolveTree(above, tree);
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, above);
      const changed = {
        overrides: organization.settingsOverrides,
        locked: request.lockedSettings ?? organization.lockedSettings,
      };
      const after = resolveTree(
        above,
        tree.map((node) => (node.id === scope.id ? { ...node, ...changed } : node)),
      );
      const affected = tree
        .map((node) => ({ id: node.id, name: node.name, before: before.get(node.id)!.values, after: after.get(node.id)!.values }))
        .map((each) => ({ ...each, changes: changesBetween(flat(each.before), flat(each.after)) }))
        .filter(({ changes }) => Object.keys(changes).length > 0);
      const users = await this.previewQuery.countAffectedUsers(ctx, scope.tenantId, affected);
      return affected.map(({ id, name, changes }) => ({ id, name, changes, ...(users.get(id) ?? NOBODY) }));
    });
  }
}

function resolveTree(above: readonly SettingsLayer[], tree: readonly SettingsNode[]): Map<string, ResolvedSettings> {
  const layers = new Map<string, SettingsLayer>([...above, ...tree].map((layer) => [layer.id, layer]));
  return new Map(tree.map(({ id, ancestorIds }) => [id, resolveSettings([...ancestorIds, id].map((each) => layers.get(each)!))]));
}

function flat(values: ResolvedSettings['values']): Record<string, unknown> {
  const { passwordPolicy, ...plain } = values;
  return { ...plain, ...Object.fromEntries(POLICY_FIELDS.map((part) => [`passwordPolicy.${part}`, passwordPolicy[part]])) };
}
