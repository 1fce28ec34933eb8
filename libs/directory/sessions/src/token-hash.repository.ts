import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

export type TokenKind = 'session' | 'one_time_token';

/** What a token stands for. */
export interface TokenSubject {
  readonly tenantId: string;
  readonly subjectId: string;
}

/** Finds by the hash of a token, over all tenants, what the token stands for. The tokens themselves are stored nowhere. */
@Injectable()
export class TokenHashRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, hash: Buffer, kind: TokenKind, subject: TokenSubject): Promise<void> {
    await this.query(ctx, 'INSERT INTO token_hashes (hash, kind, tenant_id, subject_id) VALUES ($1, $2, $3, $4)', [
      hash,
      kind,
      subject.tenantId,
      subject.subjectId,
    ]);
  }

  async find(ctx: RequestContext, hash: Buffer, kind: TokenKind): Promise<TokenSubject | null> {
    const rows = await this.query<TokenSubject>(
      ctx,
      'SELECT tenant_id AS "tenantId", subject_id AS "subjectId" FROM token_hashes WHERE hash = $1 AND kind = $2',
      [hash, kind],
    );
    return rows[0] ?? null;
  }

  async removeOf(ctx: RequestContext, kind: TokenKind, tenantId: string, subjectIds: readonly string[]): Promise<void> {
    await this.execute(ctx, 'DELETE FROM token_hashes WHERE tenant_id = $1 AND subject_id = ANY($2) AND kind = $3', [
      tenantId,
      subjectIds,
      kind,
    ]);
  }
}
