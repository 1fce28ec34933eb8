import { Injectable } from '@nestjs/common';
import type { OperatorSession, RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';

@Injectable()
export class OperatorSessionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Records the use of a session. Returns the session, or null if the session has expired or was not used since `usedSince`. */
  async use(ctx: RequestContext, tokenHash: Buffer, now: Date, usedSince: Date): Promise<OperatorSession | null> {
    const [session] = await this.query(
      ctx,
      row({ id: column.text(), expiresAt: column.timestamp() }),
      `UPDATE operator_sessions SET last_seen_at = $2 WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3
       RETURNING id, expires_at AS "expiresAt"`,
      [tokenHash, now, usedSince],
      { prepared: true },
    );
    return session ?? null;
  }
}
