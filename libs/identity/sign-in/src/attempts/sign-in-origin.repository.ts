import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

export type OriginKind = 'address' | 'device';

/** From which addresses and devices a user has signed in; hashes only. */
@Injectable()
export class SignInOriginRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async isKnown(ctx: RequestContext, user: UserKey, kind: OriginKind, origin: string): Promise<boolean> {
    const rows = await this.query(
      ctx,
      'SELECT FROM sign_in_origins WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND origin = $4',
      [user.tenantId, user.id, kind, hashToken(origin)],
    );
    return rows.length === 1;
  }

  async note(ctx: RequestContext, user: UserKey, kind: OriginKind, origin: string, now: Date): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO sign_in_origins (tenant_id, user_id, kind, origin, last_seen_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, user_id, kind, origin) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
      [user.tenantId, user.id, kind, hashToken(origin), now],
    );
  }

  /** Removes at most `limit` origins not seen since a moment; gives how many. */
  async removeUnseen(ctx: RequestContext, since: Date, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM sign_in_origins WHERE ctid IN
         (SELECT ctid FROM sign_in_origins WHERE last_seen_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [since, limit],
    );
  }
}
