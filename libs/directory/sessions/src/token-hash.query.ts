import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { TokenKind } from './token-hash.entity.js';

const ID_ROW = row({ id: column.text() });
const SUBJECT_ROW = row({ tenantId: column.text(), id: column.text() });

/** What a token, key or other value stands for, such as a session. */
export type TokenSubject = Readonly<RowOf<typeof SUBJECT_ROW>>;

/** Finds what a token stands for by its hash, across all tenants, and writes the hashes. */
@Injectable()
export class TokenHashQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async find(ctx: RequestContext, kind: TokenKind, hash: Buffer): Promise<TokenSubject | undefined> {
    const [subject] = await this.query(
      ctx,
      SUBJECT_ROW,
      'SELECT tenant_id AS "tenantId", subject_id AS id FROM token_hashes WHERE hash = $1 AND kind = $2',
      [hash, kind],
      { prepared: true, connection: 'shared' },
    );
    return subject;
  }

  /** @throws QueryFailedError (token_hashes_pkey) if the value is in use */
  async insert(ctx: RequestContext, kind: TokenKind, hash: Buffer, { tenantId, id }: TokenSubject): Promise<void> {
    const sql = 'INSERT INTO token_hashes (hash, kind, tenant_id, subject_id) VALUES ($1, $2, $3, $4)';
    await this.execute(ctx, sql, [hash, kind, tenantId, id]);
  }

  /** Makes a value stand for another subject of the tenant. Returns false if it does not stand for the previous subject any more. */
  async replaceSubject(ctx: RequestContext, kind: TokenKind, hash: Buffer, previousId: string, id: string): Promise<boolean> {
    const sql =
      'UPDATE token_hashes SET subject_id = $4 WHERE hash = $1 AND kind = $2 AND subject_id = $3 RETURNING subject_id AS id';
    return (await this.query(ctx, ID_ROW, sql, [hash, kind, previousId, id])).length > 0;
  }

  async delete(ctx: RequestContext, kind: TokenKind, hash: Buffer): Promise<void> {
    await this.execute(ctx, 'DELETE FROM token_hashes WHERE hash = $1 AND kind = $2', [hash, kind]);
  }

  async deleteOf(ctx: RequestContext, kind: TokenKind, tenantId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const sql = 'DELETE FROM token_hashes WHERE tenant_id = $1 AND subject_id = ANY ($2) AND kind = $3';
    await this.execute(ctx, sql, [tenantId, ids, kind]);
  }

  async deleteOfTenant(ctx: RequestContext, kind: TokenKind, tenantId: string): Promise<void> {
    await this.execute(ctx, 'DELETE FROM token_hashes WHERE tenant_id = $1 AND kind = $2', [tenantId, kind]);
  }
}
