import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { EffectiveSettingsService } from '../effective-settings.service.js';
import { NO_AFFECTED_USERS, SettingsPreviewQuery } from '../settings/settings-preview.query.js';
import { resolveTree, valuesByPath } from '../settings/settings-tree.js';
import { type ResolvedSettings, resolveSettings, SETTING_FIELDS, type SettingsLayer } from '../settings/settings.js';
import type { ChangedSettings, LockChange, MovePath, MovePlan, SourcedValue } from './move-plan.js';
import { OrganizationInheritance } from './organization-inheritance.js';
import { OrganizationMoveQuery } from './organization-move.query.js';
import { permissionChanges } from './permission-changes.js';

type SettingsPlan = Pick<MovePlan, 'ownSettings' | 'settings' | 'ssoRequiredIn' | 'locks' | 'settingsEffects' | 'names'>;

/** Computes the effects of a move. Changes nothing. */
@Injectable()
export class MovePlanService {
  constructor(
    private readonly moveQuery: OrganizationMoveQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly previewQuery: SettingsPreviewQuery,
    private readonly inheritance: OrganizationInheritance,
    private readonly config: AppConfig,
  ) {}

  async make(ctx: RequestContext, path: MovePath): Promise<MovePlan> {
    const { organization, ancestorIds, left, joined } = path;
    const { tenantId } = organization;
    const { suspendedBy, maxAncestorCount, ...counts } = await this.moveQuery.readSubtree(ctx, organization);
    const levels = maxAncestorCount + 1;
    const grants = await this.inheritance.listGrants(ctx, tenantId, [...organization.ancestorIds, ...joined, organization.id]);
    const webhooks = await this.inheritance.listWebhooks(ctx, tenantId, [...left, ...joined]);
    const sorted = webhooks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return {
      ...path,
      ...counts,
      ...(await this.planSettings(ctx, path)),
      depth: {
        from: levels,
        to: levels - organization.ancestorIds.length + ancestorIds.length,
        limit: this.config.maxHierarchyDepth,
      },
      permissions: permissionChanges(grants, path),
      webhooks: {
        gained: sorted.filter(({ organizationId }) => joined.includes(organizationId)),
        lost: sorted.filter(({ organizationId }) => left.includes(organizationId)),
      },
      leftSuspenders: suspendedBy.filter((id) => left.includes(id)),
    };
  }

  private async planSettings(ctx: RequestContext, path: MovePath): Promise<SettingsPlan> {
    const { organization, ancestorIds } = path;
    const { tenantId, id } = organization;
    const previousLayers = await this.effectiveSettings.ancestorLayers(ctx, organization);
    const newLayers = await this.effectiveSettings.ancestorLayers(ctx, { ancestorIds });
    const tree = await this.previewQuery.listSubtreeWithDeleted(ctx, organization);
    const movedTree = tree.map((node) => ({
      ...node,
      ancestorIds: [...ancestorIds, ...node.ancestorIds.slice(organization.ancestorIds.length)],
    }));
    const previousAncestors = new Map(tree.map((node) => [node.id, node.ancestorIds]));
    const [before, after] = [resolveTree(previousLayers, tree), resolveTree(newLayers, movedTree)];
    const changesOnce = memoized(changesOf);
    const affected = movedTree
      .map((node) => ({ node, before: before.get(node.id)!, after: after.get(node.id)! }))
      .map((each) => ({ ...each, changes: changesOnce(each.before, each.after) }))
      .filter(({ changes }) => Object.keys(changes).length > 0);
    const live = affected.filter(({ node }) => !node.isDeleted);
    const rules = live.map((each) => ({ id: each.node.id, before: each.before.values, after: each.after.values }));
    const users = await this.previewQuery.countAffectedUsers(ctx, tenantId, rules);
    const settings = live.map(({ node, changes }) => ({
      id: node.id,
      name: node.name,
      changes,
      ...(users.get(node.id) ?? NO_AFFECTED_USERS),
    }));
    return {
      settings,
      ownSettings: { from: before.get(id)!.values, to: after.get(id)!.values },
      ssoRequiredIn: movedTree.filter((node) => !node.isDeleted && after.get(node.id)!.values.ssoRequired),
      locks: lockChanges(previousLayers, newLayers, organization.id),
      settingsEffects: affected.map(({ node, before, after }) => ({
        organization: { ...node, ancestorIds: previousAncestors.get(node.id)!, tenantId },
        before: before.values,
        after: after.values,
        movedTo: { ...node, tenantId },
      })),
      names: new Map([...previousLayers, ...newLayers].map((layer) => [layer.id, layer.name])),
    };
  }
}

/** Returns the function with a memory of its results, because many organizations have the same settings. */
function memoized<T>(compute: (a: ResolvedSettings, b: ResolvedSettings) => T): typeof compute {
  const results = new Map<ResolvedSettings, Map<ResolvedSettings, T>>();
  return (a, b) => {
    const ofFirst = results.get(a) ?? new Map<ResolvedSettings, T>();
    results.set(a, ofFirst);
    const result = ofFirst.get(b) ?? compute(a, b);
    ofFirst.set(b, result);
    return result;
  };
}

/** Returns the effective values that differ, with their sources. */
function changesOf(before: ResolvedSettings, after: ResolvedSettings): ChangedSettings['changes'] {
  const [from, to] = [valuesByPath(before.values), valuesByPath(after.values)];
  const sourced = ({ sources }: ResolvedSettings, value: unknown, path: string): SourcedValue => ({
    value,
    source: sources[path] ?? 'default',
  });
  return Object.fromEntries(
    Object.keys(to)
      .filter((path) => JSON.stringify(from[path]) !== JSON.stringify(to[path]))
      .map((path) => [path, { from: sourced(before, from[path], path), to: sourced(after, to[path], path) }]),
  );
}

/** Returns the locks of ancestors that begin, end or pass to another ancestor. */
function lockChanges(previous: readonly SettingsLayer[], next: readonly SettingsLayer[], id: string): LockChange[] {
  const own: SettingsLayer = { id, name: '', overrides: {}, locked: [] };
  const [before, after] = [resolveSettings([...previous, own]).lockedBy, resolveSettings([...next, own]).lockedBy];
  return SETTING_FIELDS.filter((setting) => before[setting]?.id !== after[setting]?.id).map((setting) => ({
    setting,
    from: before[setting] ?? null,
    to: after[setting] ?? null,
  }));
}
