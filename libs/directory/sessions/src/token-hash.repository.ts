import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Repository } from 'typeorm';
import { TokenHash } from './token-hash.entity.js';

/** Inserts hashes together with their subjects. `TokenHashQuery` does everything else. */
@Injectable()
export class TokenHashRepository extends BaseRepository<TokenHash> {
  constructor(@InjectRepository(TokenHash) tokenHashes: Repository<TokenHash>) {
    super(tokenHashes);
  }

  /** Defers the insert to the next statement of the transaction or to the commit. */
  insert(ctx: RequestContext, tokenHash: TokenHash): void {
    this.insertDeferred(ctx, [tokenHash]);
  }
}
