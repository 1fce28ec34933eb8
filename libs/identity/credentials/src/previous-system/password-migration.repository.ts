import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { PolicyAuthorization } from '#directory/privileges';
import { In, MoreThan, Repository } from 'typeorm';
import { PasswordMigration } from './password-migration.entity.js';

type OrganizationRef = Pick<OrganizationScope, 'tenantId' | 'id'>;

@Injectable()
export class PasswordMigrationRepository extends BaseRepository<PasswordMigration> {
  constructor(@InjectRepository(PasswordMigration) migrations: Repository<PasswordMigration>) {
    super(migrations);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef): Promise<PasswordMigration | null> {
    return this.rows(ctx).findOneBy({ tenantId, organizationId });
  }

  lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef): Promise<PasswordMigration | null> {
    return this.findByKey(ctx, { tenantId, organizationId }, 'FOR UPDATE');
  }

  /** Returns the migrations of organizations that have not ended. */
  listActive(ctx: RequestContext, tenantId: string, organizationIds: readonly string[], now: Date): Promise<PasswordMigration[]> {
    return this.rows(ctx).findBy({ tenantId, organizationId: In([...organizationIds]), endsAt: MoreThan(now) });
  }

  async insert(ctx: RequestContext, migration: PasswordMigration, _policy: PolicyAuthorization): Promise<void> {
    await this.insertRow(ctx, migration);
  }

  async save(ctx: RequestContext, migration: PasswordMigration, _policy: PolicyAuthorization): Promise<void> {
    await this.saveRow(ctx, migration);
  }

  async delete(
    ctx: RequestContext,
    { tenantId, organizationId }: PasswordMigration,
    _policy: PolicyAuthorization,
  ): Promise<void> {
    await this.deleteRows(ctx, { tenantId, organizationId });
  }
}
