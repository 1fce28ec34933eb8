import { Injectable } from '@nestjs/common';
import { isId, type OrganizationScope, type RequestContext } from '#platform/common';
import { BaseQuery, changedKey, entityRow } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import { Role } from './role.entity.js';

@Injectable()
export class RoleQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the visible role with this id or name. If several roles have the name, returns the role of the nearest organization. */
  async findVisible(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
    reference: string,
  ): Promise<Role | undefined> {
    const chain = [...ancestorIds, id];
    const key = isId('role', reference) ? 'id' : 'name';
    const roles = await this.query(
      ctx,
      entityRow(Role),
      `${this.selectOf(Role)} WHERE t.tenant_id = $1 AND t.organization_id = ANY ($2) AND t.${key} = $3`,
      [tenantId, chain, reference],
      { prepared: true, connection: 'shared' },
    );
    return roles.sort((a, b) => chain.indexOf(b.organizationId) - chain.indexOf(a.organizationId))[0];
  }

  /**
   * Prevents the deletion of a role of an ancestor, and moves of the organization, until the transaction ends. Returns undefined if the role
   * is deleted or the organization has other ancestors now. An organization that this transaction creates has no row yet and can't move.
   */
  async lockInherited(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'id' | 'tenantId'>,
    roleId: string,
  ): Promise<Role | undefined> {
    const [role] = await this.query(
      ctx,
      entityRow(Role),
      `WITH o AS MATERIALIZED (SELECT ancestor_ids FROM organizations WHERE tenant_id = $1 AND id = $2 FOR SHARE)
       ${this.selectOf(Role)} WHERE t.tenant_id = $1 AND t.id = $3
         AND coalesce((SELECT t.organization_id = ANY (o.ancestor_ids) FROM o), true) FOR SHARE OF t`,
      [tenantId, id, roleId],
      { prepared: true },
    );
    return role;
  }

  async deleteByOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    const sql = `DELETE FROM roles r WHERE tenant_id = $1 AND organization_id = ANY($2) RETURNING ${changedKey('roles', 'r')}`;
    await this.executeRowChanges(ctx, sql, [tenantId, organizationIds]);
  }
}
