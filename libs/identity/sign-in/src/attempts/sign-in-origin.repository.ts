import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { Repository } from 'typeorm';
import { type OriginKind, SignInOrigin } from './sign-in-origin.entity.js';

@Injectable()
export class SignInOriginRepository extends BaseRepository<SignInOrigin> {
  constructor(@InjectRepository(SignInOrigin) origins: Repository<SignInOrigin>) {
    super(origins);
  }

  async isKnown(ctx: RequestContext, { tenantId, id }: UserKey, kind: OriginKind, origin: string): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, userId: id, kind, origin: hashToken(origin) });
  }

  /** Inserts the origin, or updates the time of the last use. Runs with the next statement of the transaction. */
  record(ctx: RequestContext, { tenantId, id }: UserKey, kind: OriginKind, origin: string, now: Date): void {
    const row = { tenantId, userId: id, kind, origin: hashToken(origin), lastSeenAt: now };
    this.upsertDeferred(ctx, [row]);
  }
}
