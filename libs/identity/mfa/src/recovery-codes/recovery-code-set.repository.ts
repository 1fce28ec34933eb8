import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { Repository } from 'typeorm';
import { RecoveryCodeSet } from './recovery-code-set.entity.js';

@Injectable()
export class RecoveryCodeSetRepository extends BaseRepository<RecoveryCodeSet> {
  constructor(@InjectRepository(RecoveryCodeSet) sets: Repository<RecoveryCodeSet>) {
    super(sets);
  }

  async find(ctx: RequestContext, { tenantId, id }: UserKey): Promise<RecoveryCodeSet | null> {
    return this.rows(ctx).findOneBy({ tenantId, userId: id });
  }

  async replace(ctx: RequestContext, set: RecoveryCodeSet, _signIn: SignInAuthorization): Promise<void> {
    await this.rows(ctx).upsert(set, ['tenantId', 'userId']);
  }

  async delete(ctx: RequestContext, { tenantId, id }: UserKey, _signIn: SignInAuthorization): Promise<void> {
    await this.rows(ctx).delete({ tenantId, userId: id });
  }
}
