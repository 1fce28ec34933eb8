import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { Repository } from 'typeorm';
import { UserCredential } from './user-credential.entity.js';

@Injectable()
export class PasswordRepository extends BaseRepository<UserCredential> {
  constructor(@InjectRepository(UserCredential) credentials: Repository<UserCredential>) {
    super(credentials);
  }

  async findHash(ctx: RequestContext, { tenantId, id: userId }: UserKey): Promise<string | null> {
    return (await this.findByKey(ctx, { tenantId, userId }))?.passwordHash ?? null;
  }

  async upsert(
    ctx: RequestContext,
    { tenantId, id: userId }: UserKey,
    passwordHash: string,
    at: Date,
    _signIn: SignInAuthorization,
  ): Promise<void> {
    await this.rows(ctx).upsert({ tenantId, userId, passwordHash, passwordChangedAt: at }, ['tenantId', 'userId']);
  }

  /** Inserts the passwords of new users. Runs with the next statement of the transaction. */
  insertAll(ctx: RequestContext, credentials: readonly UserCredential[], _signIn: SignInAuthorization): void {
    this.insertDeferred(ctx, credentials);
  }

  async delete(ctx: RequestContext, { tenantId, id: userId }: UserKey, _signIn: SignInAuthorization): Promise<void> {
    await this.rows(ctx).delete({ tenantId, userId });
  }

  /** Replaces a hash by another hash of the same password, unless the password has changed. */
  async rehash(ctx: RequestContext, { tenantId, id: userId }: UserKey, from: string, to: string): Promise<void> {
    await this.rows(ctx).update({ tenantId, userId, passwordHash: from }, { passwordHash: to });
  }
}
