import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type { FactorMethod } from '../mfa-method.js';

export interface EnrolmentKey {
  readonly user: UserKey;
  readonly method: FactorMethod;
  /** The session that began it; none but it can end it. */
  readonly sessionId: string;
}

/** What was begun, and when, by which it is known: its content may be sealed anew meanwhile. */
export interface BegunEnrolment {
  readonly contentSealed: string;
  readonly begunAt: Date;
}

const MAX_TRIES = 5;

/** Factors that wait for the proof that they work: one of a kind and user. */
@Injectable()
export class EnrolmentRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Puts an enrolment in the place of the one before. */
  async put(
    ctx: RequestContext,
    { user, method, sessionId }: EnrolmentKey,
    { contentSealed, expiresAt, at }: { contentSealed: string; expiresAt: Date; at: Date },
  ): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO mfa_enrolments (tenant_id, user_id, method, session_id, content_sealed, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (tenant_id, user_id, method) DO UPDATE SET session_id = excluded.session_id,
         content_sealed = excluded.content_sealed, tries = 0, expires_at = excluded.expires_at, created_at = excluded.created_at`,
      [user.tenantId, user.id, method, sessionId, contentSealed, expiresAt, at],
    );
  }

  /** Counts a try before it is judged, and gives what was begun; null when there is nothing, or no try left. */
  async countTry(ctx: RequestContext, { user, method, sessionId }: EnrolmentKey, now: Date): Promise<BegunEnrolment | null> {
    const rows = await this.query<BegunEnrolment>(
      ctx,
      `UPDATE mfa_enrolments SET tries = tries + 1
       WHERE tenant_id = $1 AND user_id = $2 AND method = $3 AND session_id = $4 AND tries < ${MAX_TRIES} AND expires_at > $5
       RETURNING content_sealed AS "contentSealed", created_at AS "begunAt"`,
      [user.tenantId, user.id, method, sessionId, now],
    );
    return rows[0] ?? null;
  }

  /** Ends the enrolment that was begun then; of several at once, one gets true. */
  async take(ctx: RequestContext, { user, method, sessionId }: EnrolmentKey, begunAt: Date): Promise<boolean> {
    const taken = await this.execute(
      ctx,
      'DELETE FROM mfa_enrolments WHERE tenant_id = $1 AND user_id = $2 AND method = $3 AND session_id = $4 AND created_at = $5',
      [user.tenantId, user.id, method, sessionId, begunAt],
    );
    return taken === 1;
  }

  async removeAll(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    await this.execute(ctx, 'DELETE FROM mfa_enrolments WHERE tenant_id = $1 AND user_id = $2', [tenantId, id]);
  }
}
