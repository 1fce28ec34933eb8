import { Injectable } from '@nestjs/common';
import { asciiDomain, type OrganizationScope, type RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { OrganizationSettings, PasswordPolicy, SettingField, SettingsLayer, SettingsOverrides } from './settings.js';

/** The numbers of users who would not comply with the new settings, by rule. */
export interface NoncompliantUsers {
  withoutMfa: number;
  domainNotAllowed: number;
  passwordOlderThanPolicy: number;
  withoutIdentity: number;
}

export interface AffectedUsers {
  readonly userCount: number;
  readonly usersOutOfLine: NoncompliantUsers;
}

export const NO_AFFECTED_USERS: AffectedUsers = {
  userCount: 0,
  usersOutOfLine: { withoutMfa: 0, domainNotAllowed: 0, passwordOlderThanPolicy: 0, withoutIdentity: 0 },
};

export interface SettingsNode extends SettingsLayer {
  readonly ancestorIds: readonly string[];
  readonly isDeleted: boolean;
}

const BOOLEAN_FIELDS: readonly (keyof PasswordPolicy)[] = ['requireUppercase', 'requireNumbers', 'requireSymbols'];

const isStricter = (before: PasswordPolicy, after: PasswordPolicy): boolean =>
  after.minLength > before.minLength ||
  after.preventReuse > before.preventReuse ||
  BOOLEAN_FIELDS.some((field) => after[field] && !before[field]);

const NODE_ROW = row({
  id: column.text(),
  name: column.text(),
  ancestor_ids: column.arrayOf(column.text()),
  settings_overrides: column.json<SettingsOverrides>(),
  locked_settings: column.arrayOf(column.text<SettingField>()),
  is_deleted: column.boolean(),
});
const USERS_ROW = row({
  id: column.text(),
  userCount: column.integer(),
  withoutMfa: column.integer(),
  domainNotAllowed: column.integer(),
  passwordOlderThanPolicy: column.integer(),
  withoutIdentity: column.integer(),
});

/** Reads organizations and counts users for the preview of a settings change. */
@Injectable()
export class SettingsPreviewQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns an organization and its descendants, parents before their children. */
  async listSubtree(ctx: RequestContext, organization: Pick<OrganizationScope, 'tenantId' | 'id'>): Promise<SettingsNode[]> {
    return (await this.listSubtreeWithDeleted(ctx, organization)).filter(({ isDeleted }) => !isDeleted);
  }

  /** Same as `listSubtree` with deleted descendants, which can be restored with their settings. */
  async listSubtreeWithDeleted(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<SettingsNode[]> {
    const rows = await this.query(
      ctx,
      NODE_ROW,
      `SELECT id, name, ancestor_ids, settings_overrides, locked_settings, deleted_at IS NOT NULL AS is_deleted FROM organizations
       WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2]) ORDER BY cardinality(ancestor_ids), id`,
      [tenantId, id],
    );
    return rows.map((node) => ({
      id: node.id,
      name: node.name,
      ancestorIds: node.ancestor_ids,
      overrides: node.settings_overrides,
      locked: node.locked_settings,
      isDeleted: node.is_deleted,
    }));
  }

  /** Counts the users of each organization and the users who would not comply with a stricter rule. Runs one statement. */
  async countAffectedUsers(
    ctx: RequestContext,
    tenantId: string,
    changes: readonly { id: string; before: OrganizationSettings; after: OrganizationSettings }[],
  ): Promise<Map<string, AffectedUsers>> {
    if (changes.length === 0) return new Map();
    const rules = changes.map(({ id, before, after }) => ({
      id,
      mfa: after.requireMfa && !before.requireMfa,
      domains:
        JSON.stringify(after.allowedDomains) === JSON.stringify(before.allowedDomains)
          ? []
          : after.allowedDomains.map(asciiDomain),
      password: isStricter(before.passwordPolicy, after.passwordPolicy),
      sso: after.ssoRequired && !before.ssoRequired,
    }));
    const rows = await this.query(
      ctx,
      USERS_ROW,
      `SELECT r.id, count(*)::int AS "userCount",
         count(*) FILTER (WHERE r.mfa AND NOT u.mfa_enabled)::int AS "withoutMfa",
         count(*) FILTER (WHERE jsonb_array_length(r.domains) > 0 AND NOT r.domains ? split_part(u.email_key, '@', 2))::int AS "domainNotAllowed",
         count(*) FILTER (WHERE r.password AND u.last_password_change_at IS NOT NULL)::int AS "passwordOlderThanPolicy",
         count(*) FILTER (WHERE r.sso AND NOT EXISTS (SELECT FROM user_identities i WHERE i.tenant_id = $1 AND i.user_id = u.id))::int AS "withoutIdentity"
       FROM jsonb_to_recordset($2::jsonb) AS r (id text, mfa boolean, domains jsonb, password boolean, sso boolean)
       JOIN users u ON u.tenant_id = $1 AND u.organization_id = r.id AND u.status <> 'deleted'
       GROUP BY r.id`,
      [tenantId, JSON.stringify(rules)],
    );
    return new Map(rows.map(({ id, userCount, ...usersOutOfLine }) => [id, { userCount, usersOutOfLine }]));
  }
}
