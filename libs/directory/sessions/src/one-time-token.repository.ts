import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, MoreThan, Repository } from 'typeorm';
import type { SignInAuthorization } from '#directory/privileges';
import { type OneTimePurpose, OneTimeToken } from './one-time-token.entity.js';
import type { UserKey } from './user-key.js';

@Injectable()
export class OneTimeTokenRepository extends BaseRepository<OneTimeToken> {
  constructor(@InjectRepository(OneTimeToken) tokens: Repository<OneTimeToken>) {
    super(tokens);
  }

  /** Defers the insert to the next statement of the transaction or to the commit. */
  insert(ctx: RequestContext, token: OneTimeToken, _signIn: SignInAuthorization): void {
    this.insertDeferred(ctx, [token]);
  }

  find(ctx: RequestContext, tenantId: string, id: string): Promise<OneTimeToken | null> {
    return this.findByKey(ctx, { tenantId, id });
  }

  /** Marks a valid token as used and returns the token, or null. Of several concurrent callers, only one gets the token. */
  async consume(
    ctx: RequestContext,
    tenantId: string,
    id: string,
    purpose: OneTimePurpose,
    now: Date,
  ): Promise<OneTimeToken | null> {
    const { affected } = await this.rows(ctx).update(
      { tenantId, id, purpose, usedAt: IsNull(), voidedAt: IsNull(), expiresAt: MoreThan(now) },
      { usedAt: now },
    );
    return affected === 1 ? this.find(ctx, tenantId, id) : null;
  }

  /** Voids the unused tokens of a user for a purpose, or for all purposes if `purpose` is null. Returns the number of tokens. */
  async voidUnused(ctx: RequestContext, user: UserKey, purpose: OneTimePurpose | null, now: Date): Promise<number> {
    const unused = { tenantId: user.tenantId, userId: user.id, usedAt: IsNull(), voidedAt: IsNull() };
    const { affected } = await this.rows(ctx).update(purpose === null ? unused : { ...unused, purpose }, { voidedAt: now });
    return affected ?? 0;
  }

  exists(ctx: RequestContext, { tenantId, id: userId }: UserKey, purpose: OneTimePurpose): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, userId, purpose });
  }

  /** Deletes all tokens of a user. Returns the ids of the tokens. */
  async deleteAll(ctx: RequestContext, { tenantId, id: userId }: UserKey): Promise<string[]> {
    const { raw } = await this.rows(ctx).createQueryBuilder().delete().where({ tenantId, userId }).returning('id').execute();
    return (raw as { id: string }[]).map(({ id }) => id);
  }
}
