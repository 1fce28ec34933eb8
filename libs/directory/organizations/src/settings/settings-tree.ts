import type { SettingsNode } from './settings-preview.query.js';
import { POLICY_FIELDS, type ResolvedSettings, resolveSettings, type SettingsLayer } from './settings.js';

/**
 * Returns the effective settings of the organizations of a subtree, by organization id. Organizations that inherit all settings from the
 * same ancestors share one object, so that large subtrees are fast.
 */
export function resolveTree(
  ancestorLayers: readonly SettingsLayer[],
  tree: readonly SettingsNode[],
): Map<string, ResolvedSettings> {
  const layers = new Map<string, SettingsLayer>([...ancestorLayers, ...tree].map((layer) => [layer.id, layer]));
  const resolved = new Map<string, ResolvedSettings>();
  const resolve = ({ id, ancestorIds }: SettingsNode): ResolvedSettings => {
    const own = layers.get(id) ?? NO_SETTINGS;
    const chain = ancestorIds
      .map((ancestorId) => layers.get(ancestorId))
      .filter((layer) => layer !== undefined)
      .filter(hasEffect);
    chain.push(Object.keys(own.overrides).length > 0 ? own : NO_SETTINGS);
    const key = chain.map((layer) => layer.id).join();
    const settings = resolved.get(key) ?? resolveSettings(chain);
    resolved.set(key, settings);
    return settings;
  };
  return new Map(tree.map((node) => [node.id, resolve(node)]));
}

const NO_SETTINGS: SettingsLayer = { id: '', name: '', overrides: {}, locked: [] };

const hasEffect = ({ overrides, locked }: SettingsLayer): boolean => locked.length > 0 || Object.keys(overrides).length > 0;

/** Returns the values by path. Fields of the password policy have paths such as `passwordPolicy.minLength`. */
export function valuesByPath(values: ResolvedSettings['values']): Record<string, unknown> {
  const { passwordPolicy, ...plain } = values;
  return { ...plain, ...Object.fromEntries(POLICY_FIELDS.map((part) => [`passwordPolicy.${part}`, passwordPolicy[part]])) };
}
