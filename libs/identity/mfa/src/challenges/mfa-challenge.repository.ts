import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import type { CodeMethod } from '../mfa-method.js';
import { MAX_CHALLENGE_ATTEMPTS, MfaChallenge } from './mfa-challenge.entity.js';

export type NewMfaChallenge = Pick<
  MfaChallenge,
  | 'tenantId'
  | 'tokenHash'
  | 'userId'
  | 'organizationId'
  | 'firstMethod'
  | 'identityProviderId'
  | 'sessionId'
  | 'methods'
  | 'expiresAt'
  | 'createdAt'
>;

type ChallengeKey = Pick<MfaChallenge, 'tenantId' | 'tokenHash'>;

@Injectable()
export class MfaChallengeRepository extends BaseRepository<MfaChallenge> {
  constructor(@InjectRepository(MfaChallenge) challenges: Repository<MfaChallenge>) {
    super(challenges);
  }

  async insert(ctx: RequestContext, challenge: NewMfaChallenge): Promise<void> {
    await this.rows(ctx).insert({ ...challenge, tries: 0 });
  }

  /** Returns the challenge, or null if the challenge is used, expired, or has no attempts left. */
  async findLive(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<MfaChallenge | null> {
    const tries = LessThan(MAX_CHALLENGE_ATTEMPTS);
    return this.rows(ctx).findOneBy({ tokenHash, usedAt: IsNull(), tries, expiresAt: MoreThan(now) });
  }

  /** Marks the challenge as used. Returns true to only one of several concurrent calls. */
  async consume(ctx: RequestContext, { tenantId, tokenHash }: ChallengeKey, now: Date): Promise<boolean> {
    const key = { tenantId, tokenHash, usedAt: IsNull(), expiresAt: MoreThan(now) };
    return (await this.rows(ctx).update(key, { usedAt: now })).affected === 1;
  }

  /** Stores a sent code. The previous code stops working. */
  async updateCode(
    ctx: RequestContext,
    { tenantId, tokenHash }: ChallengeKey,
    codeMethod: CodeMethod,
    codeSealed: string,
  ): Promise<void> {
    await this.rows(ctx).update({ tenantId, tokenHash }, { codeMethod, codeSealed });
  }

  /** Stores the challenge that a passkey must sign. The previous passkey challenge stops working. */
  async updatePasskeyChallenge(
    ctx: RequestContext,
    { tenantId, tokenHash }: ChallengeKey,
    passkeyChallenge: string,
    passkeyExpiresAt: Date,
  ): Promise<void> {
    await this.rows(ctx).update({ tenantId, tokenHash }, { passkeyChallenge, passkeyExpiresAt });
  }

  /** Deletes the passkey challenge before the signature is verified. Returns true to only one of several concurrent calls. */
  async consumePasskeyChallenge(ctx: RequestContext, { tenantId, tokenHash }: ChallengeKey, challenge: string): Promise<boolean> {
    const key = { tenantId, tokenHash, passkeyChallenge: challenge };
    return (await this.rows(ctx).update(key, { passkeyChallenge: null, passkeyExpiresAt: null })).affected === 1;
  }

  /** Voids all challenges of a user, after a factor was removed or the password changed. */
  async voidAll(ctx: RequestContext, { tenantId, id }: UserKey, now: Date): Promise<void> {
    await this.rows(ctx).update({ tenantId, userId: id, usedAt: IsNull() }, { usedAt: now });
  }
}
