import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Repository } from 'typeorm';
import { ScimUser } from './scim-user.entity.js';

@Injectable()
export class ScimUserRepository extends BaseRepository<ScimUser> {
  constructor(@InjectRepository(ScimUser) scimUsers: Repository<ScimUser>) {
    super(scimUsers);
  }

  async insert(ctx: RequestContext, scimUser: Omit<ScimUser, 'version'>): Promise<void> {
    await this.rows(ctx).insert(scimUser as object);
  }

  async update(ctx: RequestContext, { tenantId, userId, ...columns }: Omit<ScimUser, 'version'>): Promise<void> {
    await this.rows(ctx).update({ tenantId, userId }, columns as object);
  }
}
