import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { MoreThan, Repository } from 'typeorm';
import { PasskeySignIn } from './passkey-sign-in.entity.js';

@Injectable()
export class PasskeySignInRepository extends BaseRepository<PasskeySignIn> {
  constructor(@InjectRepository(PasskeySignIn) signIns: Repository<PasskeySignIn>) {
    super(signIns);
  }

  async insert(ctx: RequestContext, signIn: PasskeySignIn): Promise<void> {
    await this.rows(ctx).insert(signIn);
  }

  /** Deletes a pending sign-in. Returns true to only one of several concurrent calls, and false after the expiry. */
  async consume(
    ctx: RequestContext,
    { id, tenantId }: Pick<OrganizationScope, 'id' | 'tenantId'>,
    challengeHash: Buffer,
    now: Date,
  ): Promise<boolean> {
    const key = { tenantId, challengeHash, organizationId: id, expiresAt: MoreThan(now) };
    return (await this.rows(ctx).delete(key)).affected === 1;
  }
}
