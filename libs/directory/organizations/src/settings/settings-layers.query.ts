import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { SettingField, SettingsLayer, SettingsOverrides } from './settings.js';

const LAYER_ROW = row({
  id: column.text(),
  name: column.text(),
  settings_overrides: column.json<SettingsOverrides>(),
  locked_settings: column.arrayOf(column.text<SettingField>()),
});

/** Shown instead of the name of an organization that the caller can't access. */
const HIDDEN_NAME = "An organization that you can't access";

@Injectable()
export class SettingsLayersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns the settings that organizations set themselves, by organization id, with one statement. A chain contains the ids of an
   * organization and its ancestors, root first. The settings of hidden organizations apply to their descendants, so they are returned
   * without the name.
   */
  async findByChains(
    { hiddenOrganizationIds: hiddenIds = [], ...ctx }: RequestContext,
    chains: readonly (readonly string[])[],
  ): Promise<Map<string, SettingsLayer>> {
    const ids = chains.flat();
    if (ids.length === 0) return new Map();
    // The id of a tenant is the id of its root organization.
    const rows = await this.query(
      ctx,
      LAYER_ROW,
      'SELECT id, name, settings_overrides, locked_settings FROM organizations WHERE tenant_id = ANY($1) AND id = ANY($2)',
      [[...new Set(chains.map(([root]) => root))], [...new Set(ids)]],
      { prepared: true, connection: 'shared' },
    );
    return new Map(
      rows.map(({ id, name, settings_overrides, locked_settings }) => [
        id,
        { id, name: hiddenIds.includes(id) ? HIDDEN_NAME : name, overrides: settings_overrides, locked: locked_settings },
      ]),
    );
  }
}
