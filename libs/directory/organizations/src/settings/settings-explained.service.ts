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
  /** The changed values, by field. Fields of the password policy are named `passwordPolicy.minLength` and so on. */
  changes: Changes;
  /** Number of users that the organization manages. */
  userCount: number;
  usersOutOfLine: NoncompliantUsers;
}

const NO_USERS: AffectedUsers = {
  userCount: 0,
  usersOutOfLine: { withoutMfa: 0, domainNotAllowed: 0, passwordOlderThanPolicy: 0 },
};

/** Returns the sources of effective settings, and previews a settings change. */
@Injectable()
export class SettingsExplainedService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly organizations: OrganizationRepository,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly previewQuery: SettingsPreviewQuery,
  ) {}

  explain(ctx: RequestContext): Promise<ResolvedSettings> {
    return this.effectiveSettings.get(ctx, organizationOf(ctx));
  }

  /**
   * Returns the organizations whose effective settings a change would affect. Saves nothing.
   * @throws the errors of `SettingsChangeService.apply`
   */
  async preview(ctx: RequestContext, request: PreviewSettingsRequest): Promise<PreviewedOrganization[]> {
    return this.transactions.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      const organization = await this.organizations.findLive(ctx, scope);
      if (!organization) throw new ResourceNotFound('organization', scope.id);
      const ancestorLayers = await this.effectiveSettings.ancestorLayers(ctx, scope);
      const tree = await this.previewQuery.listSubtree(ctx, scope);
      const before = resolveTree(ancestorLayers, tree);
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, ancestorLayers);
      const changed = {
        overrides: organization.settingsOverrides,
        locked: request.lockedSettings ?? organization.lockedSettings,
      };
      const after = resolveTree(
        ancestorLayers,
        tree.map((node) => (node.id === scope.id ? { ...node, ...changed } : node)),
      );
      const affected = tree
        .flatMap(({ id, name }) => {
          const [previous, next] = [before.get(id), after.get(id)];
          return previous && next ? [{ id, name, before: previous.values, after: next.values }] : [];
        })
        .map((node) => ({ ...node, changes: changesBetween(flat(node.before), flat(node.after)) }))
        .filter(({ changes }) => Object.keys(changes).length > 0);
      const users = await this.previewQuery.countAffectedUsers(ctx, scope.tenantId, affected);
      return affected.map(({ id, name, changes }) => ({ id, name, changes, ...(users.get(id) ?? NO_USERS) }));
    });
  }
}

function resolveTree(ancestorLayers: readonly SettingsLayer[], tree: readonly SettingsNode[]): Map<string, ResolvedSettings> {
  const layers = new Map<string, SettingsLayer>([...ancestorLayers, ...tree].map((layer) => [layer.id, layer]));
  const chainOf = ({ id, ancestorIds }: SettingsNode): SettingsLayer[] =>
    [...ancestorIds, id].map((layerId) => layers.get(layerId)).filter((layer) => layer !== undefined);
  return new Map(tree.map((node) => [node.id, resolveSettings(chainOf(node))]));
}

function flat(values: ResolvedSettings['values']): Record<string, unknown> {
  const { passwordPolicy, ...plain } = values;
  return { ...plain, ...Object.fromEntries(POLICY_FIELDS.map((part) => [`passwordPolicy.${part}`, passwordPolicy[part]])) };
}
