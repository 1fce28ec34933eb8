import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import { Repository } from 'typeorm';
import { ScimUniqueness } from '../protocol/scim-errors.js';
import { ScimUser } from './scim-user.entity.js';

@Injectable()
export class ScimUserRepository extends BaseRepository<ScimUser> {
  constructor(@InjectRepository(ScimUser) scimUsers: Repository<ScimUser>) {
    super(scimUsers);
  }

  /** @throws ScimUniqueness (409) when another user of the connection has the user name */
  async insert(ctx: RequestContext, scimUser: Omit<ScimUser, 'version' | 'reservesName'>): Promise<void> {
    await reserving(scimUser, this.rows(ctx).insert(scimUser as object));
  }

  /** @throws ScimUniqueness (409) when another user of the connection has the user name */
  async update(
    ctx: RequestContext,
    { tenantId, userId, ...columns }: Omit<ScimUser, 'version' | 'reservesName'> & Partial<Pick<ScimUser, 'reservesName'>>,
  ): Promise<void> {
    await reserving(columns, this.rows(ctx).update({ tenantId, userId }, columns as object));
  }
}

async function reserving({ userName }: Pick<ScimUser, 'userName'>, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    throw isUniqueViolation(error, 'scim_users_user_name_key') ? userNameTaken(userName) : error;
  }
}

export const userNameTaken = (userName: string): ScimUniqueness =>
  new ScimUniqueness(`Another user of this connection has the userName "${userName}".`);
