import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { CleanupQuery } from '#platform/database';
import { DataSource } from 'typeorm';

/** The tables with rows that expire, and the primary key of each table. */
const TABLES = [
  ['mfa_challenges', 'tenant_id, token_hash'],
  ['mfa_enrolments', 'tenant_id, user_id, method'],
  ['passkey_sign_ins', 'tenant_id, challenge_hash'],
] as const;

@Injectable()
export class ExpiredMfaQuery extends CleanupQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Deletes at most `limit` expired rows of each table. Returns whether more expired rows can exist. */
  async delete(ctx: RequestContext, now: Date, limit: number): Promise<boolean> {
    let hasMore = false;
    for (const [table, key] of TABLES) {
      const deleted = await this.deleteBatch(ctx, { table, key, where: 'expires_at <= $1' }, [now], limit);
      hasMore ||= deleted === limit;
    }
    return hasMore;
  }
}
