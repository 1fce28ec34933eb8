import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const ENDED_ROW = row({ hasEnded: column.boolean() });

@Injectable()
export class OfflineAccessQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns whether something ended the access that goes on after a session: the password changed since the sign-in, or somebody revoked the
   * session, which a sign-out or a timeout is not.
   */
  async hasEnded(ctx: RequestContext, user: UserKey, sessionId: string, signedInAt: Date): Promise<boolean> {
    const [found] = await this.query(
      ctx,
      ENDED_ROW,
      `SELECT coalesce(u.last_password_change_at > $4::timestamptz + interval '1 second', false) OR EXISTS (
         SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.id = $3 AND s.revoked_at IS NOT NULL AND s.revoked_reason <> 'signed_out'
       ) AS "hasEnded"
       FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
      [user.tenantId, user.id, sessionId, signedInAt],
      { prepared: true, connection: 'shared' },
    );
    return found?.hasEnded ?? true;
  }
}
