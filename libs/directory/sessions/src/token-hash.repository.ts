import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { In, Repository } from 'typeorm';
import { TokenHash, type TokenKind } from './token-hash.entity.js';

@Injectable()
export class TokenHashRepository extends BaseRepository<TokenHash> {
  constructor(@InjectRepository(TokenHash) tokenHashes: Repository<TokenHash>) {
    super(tokenHashes);
  }

  /** Defers the insert to the next statement of the transaction or to the commit. */
  insert(ctx: RequestContext, tokenHash: TokenHash): void {
    this.insertDeferred(ctx, [tokenHash]);
  }

  find(ctx: RequestContext, hash: Buffer, kind: TokenKind): Promise<TokenHash | null> {
    return this.rows(ctx).findOneBy({ hash, kind });
  }

  async delete(ctx: RequestContext, hash: Buffer): Promise<void> {
    await this.rows(ctx).delete({ hash });
  }

  async deleteOf(ctx: RequestContext, kind: TokenKind, tenantId: string, subjectIds: readonly string[]): Promise<void> {
    await this.rows(ctx).delete({ tenantId, subjectId: In([...subjectIds]), kind });
  }
}
