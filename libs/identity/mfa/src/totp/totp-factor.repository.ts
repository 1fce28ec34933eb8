import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { LessThan, Repository } from 'typeorm';
import { TotpFactor } from './totp-factor.entity.js';

@Injectable()
export class TotpFactorRepository extends BaseRepository<TotpFactor> {
  constructor(@InjectRepository(TotpFactor) totpFactors: Repository<TotpFactor>) {
    super(totpFactors);
  }

  async find(ctx: RequestContext, { tenantId, id }: UserKey): Promise<TotpFactor | null> {
    return this.rows(ctx).findOneBy({ tenantId, userId: id });
  }

  /** Inserts the user's authenticator app, or replaces the previous app. `lastStep` is the time step of the confirmation code. */
  async replace(ctx: RequestContext, factor: Omit<TotpFactor, 'lastUsedAt'>, _signIn: SignInAuthorization): Promise<void> {
    await this.rows(ctx).upsert({ ...factor, lastUsedAt: null }, ['tenantId', 'userId']);
  }

  /** Inserts the authenticator apps of new users with the next statement of the transaction. */
  insertAllDeferred(ctx: RequestContext, factors: readonly TotpFactor[], _signIn: SignInAuthorization): void {
    if (factors.length > 0) this.insertDeferred(ctx, factors);
  }

  /**
   * Records the use of a time step. Returns true to only one of several concurrent calls, and false if this or a later step was used before
   * or the app was replaced. `createdAt` identifies the app, because the seed can be encrypted again.
   */
  async useStep(ctx: RequestContext, { tenantId, userId, createdAt }: TotpFactor, step: number, now: Date): Promise<boolean> {
    const key = { tenantId, userId, createdAt, lastStep: LessThan(step) };
    return (await this.rows(ctx).update(key, { lastStep: step, lastUsedAt: now })).affected === 1;
  }

  /** Deletes the authenticator app. Returns false if the app does not exist. */
  async delete(ctx: RequestContext, { tenantId, id }: UserKey, _signIn: SignInAuthorization): Promise<boolean> {
    return (await this.rows(ctx).delete({ tenantId, userId: id })).affected === 1;
  }
}
