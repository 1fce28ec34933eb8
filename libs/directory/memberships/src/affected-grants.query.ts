import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { type UserGrant, UserGrants } from '#directory/privileges';
import { DataSource } from 'typeorm';
import { ROLE_ROW, rolesSql, toGrants } from './user-grants.query.js';

const GUEST_ROW = row({ id: column.text(), guestTenantIds: column.arrayOf(column.text()) });

/** Users whom a change affects, of tenant $1, as SQL with the parameter $2. */
interface AffectedUsers {
  /** Selects the ids of users who have roles in the tenant. */
  readonly ids: string;
  /** The condition for a user `u` who is or was a guest in other tenants. */
  readonly guest: string;
  /** The condition for the grants `r` that count in the tenant. */
  readonly counted: string;
}

const OUTSIDE_THEIR_ORGANIZATIONS: AffectedUsers = {
  ids: 'SELECT e.user_id FROM directory_entries e WHERE e.tenant_id = $1 AND e.user_organization_id = ANY ($2) AND NOT e.managed',
  guest: 'u.organization_id = ANY ($2)',
  // Roles in deleted descendants don't count either.
  counted: 'r."organizationId" <> ALL ($2) AND NOT r."ancestorIds" && $2',
};

const LINKED_TO_PROVIDER: AffectedUsers = {
  ids: 'SELECT i.user_id FROM user_identities i WHERE i.tenant_id = $1 AND i.identity_provider_id = $2',
  guest: 'u.id IN (SELECT i.user_id FROM user_identities i WHERE i.tenant_id = $1 AND i.identity_provider_id = $2)',
  counted: 'true',
};

/**
 * Reads the permissions of all users whom a change of an organization or identity provider affects. Returns one grant for each organization
 * and role, however many users have it.
 */
@Injectable()
export class AffectedGrantsQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly userGrants: UserGrants,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.userGrants.registerAffected({
      listOutside: (ctx, tenantId, organizationIds) => this.list(ctx, tenantId, OUTSIDE_THEIR_ORGANIZATIONS, organizationIds),
      listLinked: (ctx, tenantId, providerId) => this.list(ctx, tenantId, LINKED_TO_PROVIDER, providerId),
    });
  }

  private async list(ctx: RequestContext, tenantId: string, users: AffectedUsers, parameter: unknown): Promise<UserGrant[]> {
    const sql = distinct(rolesSql('$1', `IN (${users.ids})`, ''), users.counted);
    const roles = await this.query(ctx, ROLE_ROW, sql, [tenantId, parameter]);
    const guests = await this.query(
      ctx,
      GUEST_ROW,
      `SELECT u.id, u.guest_tenant_ids AS "guestTenantIds" FROM users u
       WHERE u.tenant_id = $1 AND ${users.guest} AND u.guest_tenant_ids <> '{}'`,
      [tenantId, parameter],
    );
    for (const guestTenantId of new Set(guests.flatMap(({ guestTenantIds }) => guestTenantIds))) {
      const ids = guests.filter(({ guestTenantIds }) => guestTenantIds.includes(guestTenantId)).map(({ id }) => id);
      const ofGuests = distinct(rolesSql('$2', '= ANY ($3)', ''), 'true');
      roles.push(...(await this.query(ctx, ROLE_ROW, ofGuests, [guestTenantId, tenantId, ids])));
    }
    return toGrants(roles);
  }
}

const distinct = (sql: string, condition: string): string =>
  `SELECT DISTINCT '' AS "userId", r."organizationId", r."ancestorIds", r."roleId", r."roleName", r.permissions, r.temporary
   FROM (${sql}) r WHERE ${condition}`;
