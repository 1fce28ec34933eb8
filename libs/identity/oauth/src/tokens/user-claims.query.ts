import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { roleNameOf } from '#directory/roles';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const USER_ROW = row({
  email: column.text(),
  emailVerified: column.boolean(),
  firstName: column.nullable(column.text()),
  lastName: column.nullable(column.text()),
  displayName: column.nullable(column.text()),
  picture: column.nullable(column.text()),
  phoneNumber: column.nullable(column.text()),
  phoneVerified: column.boolean(),
  locale: column.nullable(column.text()),
  updatedAt: column.timestamp(),
});

export type ClaimedUser = Readonly<RowOf<typeof USER_ROW>>;

const ROLE_ROW = row({ id: column.text(), name: column.nullable(column.text()) });

/** Reads what ID tokens, access tokens and the userinfo endpoint say about users. */
@Injectable()
export class UserClaimsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async findUser(ctx: RequestContext, { tenantId, id }: UserKey): Promise<ClaimedUser | undefined> {
    const [user] = await this.query(
      ctx,
      USER_ROW,
      `SELECT email, email_verified AS "emailVerified", first_name AS "firstName", last_name AS "lastName",
         display_name AS "displayName", picture, phone_number AS "phoneNumber", phone_verified AS "phoneVerified", locale,
         updated_at AS "updatedAt"
       FROM users WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
      { prepared: true, connection: 'shared' },
    );
    return user;
  }

  /** Returns the names of the roles that a user has in an organization, also through groups and in ancestors, in alphabetical order. */
  async listRoles(ctx: RequestContext, userId: string, organization: OrganizationScope): Promise<string[]> {
    const roles = await this.query(
      ctx,
      ROLE_ROW,
      `SELECT DISTINCT a.role_id AS id, w.name FROM (
         SELECT organization_id, role_id FROM role_assignments WHERE tenant_id = $1 AND user_id = $2
         UNION ALL
         SELECT p.organization_id, g.role_id FROM group_members p
         JOIN group_role_assignments g ON g.tenant_id = p.tenant_id AND g.group_id = p.group_id
         WHERE p.tenant_id = $1 AND p.user_id = $2
       ) a LEFT JOIN roles w ON w.tenant_id = $1 AND w.id = a.role_id
       WHERE a.organization_id = ANY ($3)`,
      [organization.tenantId, userId, [...organization.ancestorIds, organization.id]],
      { prepared: true, connection: 'shared' },
    );
    return [...new Set(roles.map(({ id, name }) => roleNameOf(id, name)))].toSorted();
  }
}
