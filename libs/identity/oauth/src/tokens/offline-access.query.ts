import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

/** How a user signed in at a client with offline access. */
export interface OfflineSignIn {
  readonly sessionUid: string;
  readonly amr: readonly string[];
  /** The identity provider of the sign-in. */
  readonly identityProviderId?: string | null;
  readonly authTime: number;
}

const ENDED_ROW = row({ hasEnded: column.boolean() });

@Injectable()
export class OfflineAccessQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns whether something ended the access that goes on after a session: the password changed since the sign-in, the identity provider
   * of the sign-in was disabled or deleted, or somebody revoked the session, which a sign-out or a timeout is not.
   */
  async hasEnded(
    ctx: RequestContext,
    user: UserKey,
    { sessionUid, identityProviderId, authTime }: Omit<OfflineSignIn, 'amr'>,
  ): Promise<boolean> {
    const [found] = await this.query(
      ctx,
      ENDED_ROW,
      `SELECT coalesce(u.last_password_change_at > $4::timestamptz + interval '1 second', false) OR EXISTS (
         SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.id = $3 AND s.revoked_at IS NOT NULL AND s.revoked_reason <> 'signed_out'
       ) OR ($5::text IS NOT NULL AND NOT EXISTS (
         SELECT FROM identity_providers p WHERE p.tenant_id = $1 AND p.id = $5::text AND p.enabled
       )) AS "hasEnded"
       FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
      [user.tenantId, user.id, sessionUid, new Date(authTime * 1_000), identityProviderId ?? null],
      { prepared: true, connection: 'shared' },
    );
    return found?.hasEnded ?? true;
  }
}
