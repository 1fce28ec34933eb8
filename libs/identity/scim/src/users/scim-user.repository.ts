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

  /**
   * Defers the insert to the next statement of the transaction or to the commit. The deferred statement can throw ScimUniqueness (409), when
   * another user of the connection has the user name.
   */
  insert(ctx: RequestContext, scimUser: Omit<ScimUser, 'version' | 'reservesName'>): void {
    const row = { ...scimUser, version: 1, reservesName: true };
    this.insertDeferred(ctx, [row], (error) => conflictOf(scimUser, error));
  }

  /** @throws ScimUniqueness (409) when another user of the connection has the user name */
  async update(
    ctx: RequestContext,
    { tenantId, userId, ...columns }: Omit<ScimUser, 'version' | 'reservesName'> & Partial<Pick<ScimUser, 'reservesName'>>,
  ): Promise<void> {
    await reserving(columns, this.rows(ctx).update({ tenantId, userId }, columns as object));
  }
}

async function reserving(scimUser: Pick<ScimUser, 'userName'>, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    throw conflictOf(scimUser, error) ?? error;
  }
}

const conflictOf = ({ userName }: Pick<ScimUser, 'userName'>, error: unknown): ScimUniqueness | undefined =>
  isUniqueViolation(error, 'scim_users_user_name_key') ? userNameTaken(userName) : undefined;

export const userNameTaken = (userName: string): ScimUniqueness =>
  new ScimUniqueness(`Another user of this connection has the userName "${userName}".`);
