import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

export interface RecoveryCodeSet {
  readonly salt: Buffer;
  /** Of the codes that are left. */
  readonly hashes: readonly Buffer[];
}

/** Hashes of recovery codes: one set a user. */
@Injectable()
export class RecoveryCodeRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async find(ctx: RequestContext, { tenantId, id }: UserKey): Promise<RecoveryCodeSet | null> {
    const rows = await this.query<RecoveryCodeSet>(
      ctx,
      'SELECT salt, hashes FROM recovery_code_sets WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, id],
    );
    return rows[0] ?? null;
  }

  /** Puts a set in the place of the one before. */
  async put(ctx: RequestContext, { tenantId, id }: UserKey, { salt, hashes }: RecoveryCodeSet, at: Date): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO recovery_code_sets (tenant_id, user_id, salt, hashes, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, user_id)
       DO UPDATE SET salt = excluded.salt, hashes = excluded.hashes, created_at = excluded.created_at`,
      [tenantId, id, salt, hashes, at],
    );
  }

  /** Takes one code out of the set and gives how many are left; null when it is not in it (any more). */
  async take(ctx: RequestContext, { tenantId, id }: UserKey, hash: Buffer): Promise<number | null> {
    const rows = await this.query<{ left: number }>(
      ctx,
      `UPDATE recovery_code_sets SET hashes = array_remove(hashes, $3::bytea)
       WHERE tenant_id = $1 AND user_id = $2 AND $3::bytea = ANY (hashes) RETURNING cardinality(hashes) AS left`,
      [tenantId, id, hash],
    );
    return rows[0]?.left ?? null;
  }

  async remove(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    await this.execute(ctx, 'DELETE FROM recovery_code_sets WHERE tenant_id = $1 AND user_id = $2', [tenantId, id]);
  }
}
