import { Injectable } from '@nestjs/common';
import { BUILT_IN_ROLE_PERMISSIONS, HIDDEN_ROLE, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { SettingField, SettingsLayer, SettingsOverrides } from './settings.js';

const LAYER_ROW = row({
  id: column.text(),
  name: column.text(),
  settings_overrides: column.json<SettingsOverrides>(),
  locked_settings: column.arrayOf(column.text<SettingField>()),
});

/** Selects the settings layers of organizations `l`, root first, as a JSON array. */
export const LAYERS_AS_JSON = `json_agg(json_build_object('id', l.id, 'name', l.name, 'overrides', l.settings_overrides, 'locked', l.locked_settings)
  ORDER BY cardinality(l.ancestor_ids))`;

/** Shown instead of the name of an organization that the caller can't access. */
const HIDDEN_NAME = "An organization that you can't access";

const BUILT_IN_ROLE_IDS = Object.keys(BUILT_IN_ROLE_PERMISSIONS).map((name) => `role_${name}`);

const ID_ROW = row({ id: column.text() });
type LayerRow = RowOf<typeof LAYER_ROW>;

@Injectable()
export class SettingsLayersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns the settings that organizations set themselves, by organization id, with one statement. A chain contains the ids of an
   * organization and its ancestors, root first. The settings of hidden organizations apply to their descendants, so they are returned
   * without the name of the organization and the ids of its roles.
   */
  async findByChains(ctx: RequestContext, chains: readonly (readonly string[])[]): Promise<Map<string, SettingsLayer>> {
    const { hiddenOrganizationIds: hiddenIds = [], ...withHidden } = ctx;
    const ids = chains.flat();
    if (ids.length === 0) return new Map();
    // The id of a tenant is the id of its root organization.
    const tenantIds = [...new Set(chains.map(([root]) => root))];
    const rows = await this.query(
      withHidden,
      LAYER_ROW,
      'SELECT id, name, settings_overrides, locked_settings FROM organizations WHERE tenant_id = ANY($1) AND id = ANY($2)',
      [tenantIds, [...new Set(ids)]],
      { prepared: true, connection: 'shared' },
    );
    if (hiddenIds.length > 0) await this.hideRoles(ctx, tenantIds, rows);
    return new Map(
      rows.map(({ id, name, settings_overrides, locked_settings }) => [
        id,
        { id, name: hiddenIds.includes(id) ? HIDDEN_NAME : name, overrides: settings_overrides, locked: locked_settings },
      ]),
    );
  }

  /** Replaces the ids of default roles that the context hides. */
  private async hideRoles(
    ctx: RequestContext,
    tenantIds: readonly (string | undefined)[],
    rows: readonly LayerRow[],
  ): Promise<void> {
    const roleIds = rows.map(({ settings_overrides: { defaultRole } }) => defaultRole).filter((id) => id !== undefined);
    const sql = 'SELECT id FROM roles WHERE tenant_id = ANY ($1) AND id = ANY ($2)';
    const visibleIds = (await this.query(ctx, ID_ROW, sql, [tenantIds, roleIds])).map(({ id }) => id);
    for (const layer of rows) {
      const { defaultRole } = layer.settings_overrides;
      if (defaultRole !== undefined && ![...BUILT_IN_ROLE_IDS, ...visibleIds].includes(defaultRole))
        layer.settings_overrides = { ...layer.settings_overrides, defaultRole: HIDDEN_ROLE };
    }
  }
}
