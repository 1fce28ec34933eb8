import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import type { LossAuthorization, ReplacementAuthorization, GainAuthorization } from '#directory/privileges';
import { In, Repository } from 'typeorm';
import { Role } from './role.entity.js';
import { RoleNameTaken } from './role-errors.js';

export type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

@Injectable()
export class RoleRepository extends BaseRepository<Role> {
  constructor(@InjectRepository(Role) roles: Repository<Role>) {
    super(roles);
  }

  listVisible(ctx: RequestContext, { tenantId, id, ancestorIds }: OrganizationRef): Promise<Role[]> {
    return this.findRows(ctx, {
      where: { tenantId, organizationId: In([...ancestorIds, id]) },
      order: { id: 'ASC' },
    });
  }

  /** Returns the roles of an organization, oldest first. */
  listOwn(ctx: RequestContext, { tenantId, id: organizationId }: Pick<OrganizationRef, 'tenantId' | 'id'>): Promise<Role[]> {
    return this.findRows(ctx, { where: { tenantId, organizationId }, order: { id: 'ASC' } });
  }

  listByIds(ctx: RequestContext, tenantIds: readonly string[], ids: readonly string[]): Promise<Role[]> {
    return this.findRows(ctx, { where: { tenantId: In([...tenantIds]), id: In([...ids]) } });
  }

  /** @throws RoleNameTaken */
  async insert(ctx: RequestContext, role: Role, _gain: GainAuthorization): Promise<void> {
    await this.translateNameConflict(role, () => this.insertRow(ctx, role));
  }

  /** @throws RoleNameTaken */
  async save(ctx: RequestContext, role: Role, _authorization: ReplacementAuthorization): Promise<void> {
    await this.translateNameConflict(role, () => this.saveRow(ctx, role));
  }

  async delete(ctx: RequestContext, { tenantId, id }: Role, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, id });
  }

  /** Locks a role until the transaction ends. Other transactions can't assign or change the role. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef, id: string): Promise<Role | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id }, 'FOR UPDATE');
  }

  /** Prevents the deletion of a role until the transaction ends. */
  lockShared(ctx: RequestContext, tenantId: string, id: string): Promise<Role | null> {
    return this.findByKey(ctx, { tenantId, id }, 'FOR SHARE');
  }

  countOwn(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef): Promise<number> {
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  private async translateNameConflict(role: Role, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const isTaken = isUniqueViolation(error, 'roles_name_key') || isUniqueViolation(error, 'roles_name_key_key');
      throw isTaken ? new RoleNameTaken(role.name) : error;
    }
  }
}
