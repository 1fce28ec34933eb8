import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** What waits for a proof, with what tells its rows apart. */
const WAITING = [
  ['mfa_challenges', 'tenant_id, token_hash'],
  ['mfa_enrolments', 'tenant_id, user_id, method'],
  ['passkey_sign_ins', 'tenant_id, challenge_hash'],
] as const;

/** Challenges and enrolments whose time is over. */
@Injectable()
export class ExpiredMfaRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Removes at most `limit` of each kind; gives whether more may be left. */
  async remove(ctx: RequestContext, now: Date, limit: number): Promise<boolean> {
    let more = false;
    for (const [table, key] of WAITING) {
      const removed = await this.execute(
        ctx,
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE expires_at <= $1 LIMIT $2)`,
        [now, limit],
      );
      more ||= removed === limit;
    }
    return more;
  }
}
