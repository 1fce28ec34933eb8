import { Injectable } from '@nestjs/common';
import { isId, type OrganizationScope, type RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource, In } from 'typeorm';
import { Role } from './role.entity.js';

export type RolePlace = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** Roles of a tenant. */
@Injectable()
export class RoleRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The role with this id or name that is visible in the organization; of several with one name, the nearest. */
  async findVisible(ctx: RequestContext, place: RolePlace, reference: string): Promise<Role | undefined> {
    const chain = [...place.ancestorIds, place.id];
    const key = isId('role', reference) ? { id: reference } : { name: reference };
    const found = await this.rows(ctx, Role).findBy({ tenantId: place.tenantId, organizationId: In(chain), ...key });
    return found.sort((a, b) => chain.indexOf(b.organizationId) - chain.indexOf(a.organizationId))[0];
  }

  listVisible(ctx: RequestContext, place: RolePlace): Promise<Role[]> {
    return this.rows(ctx, Role).find({
      where: { tenantId: place.tenantId, organizationId: In([...place.ancestorIds, place.id]) },
      order: { id: 'ASC' },
    });
  }

  findByIds(ctx: RequestContext, ids: readonly string[]): Promise<Role[]> {
    return this.rows(ctx, Role).findBy({ id: In([...ids]) });
  }
}
