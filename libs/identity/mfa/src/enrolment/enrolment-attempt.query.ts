import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { EnrolmentKey } from './mfa-enrolment.repository.js';

const MAX_ATTEMPTS = 5;

const STARTED_ROW = row({ contentSealed: column.text(), createdAt: column.timestamp() });
/** A pending enrolment. `createdAt` identifies the enrolment, because the content can be encrypted again. */
export type StartedEnrolment = RowOf<typeof STARTED_ROW>;

@Injectable()
export class EnrolmentAttemptQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Counts an attempt and returns the enrolment, before the proof is verified. Concurrent calls can't exceed the limit. Returns null if
   * there is no enrolment, or if no attempt is left.
   */
  async startAttempt(
    ctx: RequestContext,
    { tenantId, userId, method, sessionId }: EnrolmentKey,
    now: Date,
  ): Promise<StartedEnrolment | null> {
    const [enrolment] = await this.query(
      ctx,
      STARTED_ROW,
      `UPDATE mfa_enrolments SET tries = tries + 1
       WHERE tenant_id = $1 AND user_id = $2 AND method = $3 AND session_id = $4 AND tries < ${MAX_ATTEMPTS} AND expires_at > $5
       RETURNING content_sealed AS "contentSealed", created_at AS "createdAt"`,
      [tenantId, userId, method, sessionId, now],
    );
    return enrolment ?? null;
  }
}
