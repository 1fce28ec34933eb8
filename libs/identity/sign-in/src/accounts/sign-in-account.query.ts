import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { BaseQuery, column, entityRow, joinedRow, row } from '#platform/database';
import { hashToken } from '#platform/crypto';
import { SCOPE_COLUMNS } from '#directory/organizations';
import { User, type UserWithOrganization } from '#directory/users';
import { DataSource } from 'typeorm';

/** What the sign-in with a password needs of a user. */
export interface SignInAccount {
  readonly owner: UserWithOrganization;
  readonly passwordHash: string | null;
  /** Whether the user has signed in from the IP address before. */
  readonly isAddressKnown: boolean;
}

const ACCOUNT_ROW = joinedRow(
  entityRow(User),
  row({
    managingOrganization: column.nullable(column.json<OrganizationScope>()),
    passwordHash: column.nullable(column.text()),
    isAddressKnown: column.boolean(),
  }),
);

@Injectable()
export class SignInAccountQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns the user with this email address in the directory of the organization or an ancestor, unless deleted. Guests sign in to an
   * organization of their own tenant, so the lookup excludes guests. Executes one statement in any case, so that the response time reveals
   * nothing.
   */
  async find(
    ctx: RequestContext,
    organization: OrganizationScope | null,
    email: string,
    address: string,
  ): Promise<SignInAccount | null> {
    const { id, tenantId, ancestorIds } = organization ?? NONEXISTENT_ORGANIZATION;
    const [account] = await this.query(
      ctx,
      ACCOUNT_ROW,
      `SELECT u.*, (SELECT row_to_json(m) FROM (
             SELECT ${SCOPE_COLUMNS} FROM organizations o WHERE o.tenant_id = $1 AND o.id = u."organizationId" AND o.deleted_at IS NULL
           ) m) AS "managingOrganization",
         (SELECT c.password_hash FROM user_credentials c WHERE c.tenant_id = $1 AND c.user_id = u.id) AS "passwordHash",
         EXISTS (SELECT FROM sign_in_origins a
           WHERE a.tenant_id = $1 AND a.user_id = u.id AND a.kind = 'address' AND a.origin = $4) AS "isAddressKnown"
       FROM (
         ${this.selectOf(User)} WHERE t.tenant_id = $1 AND t.email_key = $2 AND t.status <> 'deleted' AND EXISTS (
           SELECT FROM directory_entries e WHERE e.tenant_id = $1 AND e.organization_id = ANY ($3) AND e.user_id = t.id)
       ) u`,
      [tenantId, emailKey(email), [...ancestorIds, id], hashToken(address)],
      { prepared: true, connection: 'shared' },
    );
    if (!account?.managingOrganization) return null;
    const { managingOrganization, passwordHash, isAddressKnown, ...user } = account;
    return { owner: { user, managingOrganization }, passwordHash, isAddressKnown };
  }
}

/** Replaces a nonexistent organization in the statement. */
const NONEXISTENT_ORGANIZATION: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'> = {
  id: '',
  tenantId: '',
  ancestorIds: [],
};
