import type { SettingsNode } from './settings-preview.query.js';
import { POLICY_FIELDS, type ResolvedSettings, resolveSettings, type SettingsLayer } from './settings.js';

/** Returns the effective settings of the organizations of a subtree, by organization id. */
export function resolveTree(
  ancestorLayers: readonly SettingsLayer[],
  tree: readonly SettingsNode[],
): Map<string, ResolvedSettings> {
  const layers = new Map<string, SettingsLayer>([...ancestorLayers, ...tree].map((layer) => [layer.id, layer]));
  const chainOf = ({ id, ancestorIds }: SettingsNode): SettingsLayer[] =>
    [...ancestorIds, id].map((layerId) => layers.get(layerId)).filter((layer) => layer !== undefined);
  return new Map(tree.map((node) => [node.id, resolveSettings(chainOf(node))]));
}

/** Returns the values by path. Fields of the password policy have paths such as `passwordPolicy.minLength`. */
export function valuesByPath(values: ResolvedSettings['values']): Record<string, unknown> {
  const { passwordPolicy, ...plain } = values;
  return { ...plain, ...Object.fromEntries(POLICY_FIELDS.map((part) => [`passwordPolicy.${part}`, passwordPolicy[part]])) };
}
