import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';
import type { Branding } from './organization.entity.js';
import { resolveSettings, type SettingField, type SettingsOverrides } from './settings/settings.js';

/** Branding of an organization's mails, and their language for readers without a locale. */
export interface MailDefaults {
  readonly branding: Branding;
  readonly defaultLocale: string;
}

interface ChainRow {
  id: string;
  name: string;
  branding: Branding | null;
  settings_overrides: SettingsOverrides;
  locked_settings: SettingField[];
}

/** Reads what all mails of an organization have in common, in one statement. */
@Injectable()
export class MailDefaultsQuery extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Branding comes from the organization or its nearest ancestor with branding; the locale is the effective `defaultLocale`. */
  async get(
    ctx: RequestContext,
    { id, tenantId, ancestorIds }: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
  ): Promise<MailDefaults> {
    const chain = await this.query<ChainRow>(
      ctx,
      `SELECT id, name, branding, settings_overrides, locked_settings FROM organizations
       WHERE tenant_id = $1 AND id = ANY($2) ORDER BY cardinality(ancestor_ids)`,
      [tenantId, [...ancestorIds, id]],
    );
    const layers = chain.map((row) => ({
      id: row.id,
      name: row.name,
      overrides: row.settings_overrides,
      locked: row.locked_settings,
    }));
    return {
      branding: chain.findLast((row) => row.branding !== null)?.branding ?? {},
      defaultLocale: resolveSettings(layers).values.defaultLocale,
    };
  }
}
