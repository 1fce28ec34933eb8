import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Repository } from 'typeorm';
import { OidcSignIn } from './oidc-sign-in.entity.js';

@Injectable()
export class OidcSignInRepository extends BaseRepository<OidcSignIn> {
  constructor(@InjectRepository(OidcSignIn) signIns: Repository<OidcSignIn>) {
    super(signIns);
  }

  async insert(ctx: RequestContext, signIn: OidcSignIn): Promise<void> {
    await this.rows(ctx).insert(signIn);
  }

  find(ctx: RequestContext, stateHash: Buffer): Promise<OidcSignIn | null> {
    return this.rows(ctx).findOneBy({ stateHash });
  }
}
