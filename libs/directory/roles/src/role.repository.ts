import { Injectable } from '@nestjs/common';
import { isId, type OrganizationScope, type RequestContext } from '#platform/common';
import { SqlRepository, isUniqueViolation } from '#platform/database';
import { DataSource, In } from 'typeorm';
import { Role } from './role.entity.js';
import { RoleNameTaken } from './role-errors.js';

export type RolePlace = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** Roles of a tenant. */
@Injectable()
export class RoleRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The role with this id or name that is visible in the organization; of several with one name, the nearest. */
  async findVisible(ctx: RequestContext, place: RolePlace, reference: string): Promise<Role | undefined> {
    const chain = [...place.ancestorIds, place.id];
    const column = isId('role', reference) ? 'id' : 'name';
    const found = await this.lookUp<Role>(
      ctx,
      `${this.selectOf(Role)} WHERE t.tenant_id = $1 AND t.organization_id = ANY ($2) AND t.${column} = $3`,
      [place.tenantId, chain, reference],
    );
    return found.sort((a, b) => chain.indexOf(b.organizationId) - chain.indexOf(a.organizationId))[0];
  }

  listVisible(ctx: RequestContext, place: RolePlace): Promise<Role[]> {
    return this.rows(ctx, Role).find({
      where: { tenantId: place.tenantId, organizationId: In([...place.ancestorIds, place.id]) },
      order: { id: 'ASC' },
    });
  }

  findByIds(ctx: RequestContext, tenantIds: readonly string[], ids: readonly string[]): Promise<Role[]> {
    return this.rows(ctx, Role).findBy({ tenantId: In([...tenantIds]), id: In([...ids]) });
  }

  /** @throws RoleNameTaken */
  async insert(ctx: RequestContext, role: Role): Promise<void> {
    await this.named(role, () => this.rows(ctx, Role).insert(role));
  }

  /** @throws RoleNameTaken */
  async save(ctx: RequestContext, role: Role): Promise<void> {
    await this.named(role, () => this.rows(ctx, Role).save(role));
  }

  async remove(ctx: RequestContext, { tenantId, id }: Role): Promise<void> {
    await this.rows(ctx, Role).delete({ tenantId, id });
  }

  /** The row, held until the transaction ends: nobody gives or changes the role meanwhile. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: RolePlace, id: string): Promise<Role | null> {
    return this.rows(ctx, Role).findOne({ where: { tenantId, organizationId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Keeps a role from being deleted until the transaction ends. Null: it is gone. */
  hold(ctx: RequestContext, tenantId: string, id: string): Promise<Role | null> {
    return this.findRow(ctx, Role, { tenantId, id }, 'FOR SHARE');
  }

  countOwn(ctx: RequestContext, { tenantId, id: organizationId }: RolePlace): Promise<number> {
    return this.rows(ctx, Role).countBy({ tenantId, organizationId });
  }

  private async named(role: Role, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw isUniqueViolation(error, 'roles_name_key') ? new RoleNameTaken(role.name) : error;
    }
  }
}
