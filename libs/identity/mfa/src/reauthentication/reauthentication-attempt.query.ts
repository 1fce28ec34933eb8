import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const WINDOW_SECONDS = 15 * 60;
const MAX_ATTEMPTS = 5;

const WINDOW_ROW = row({ startedAt: column.timestamp() });

/** Limits failed reauthentications to five in 15 minutes. */
@Injectable()
export class ReauthenticationAttemptQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Records an attempt before the proof is verified. Concurrent calls can't exceed the limit. Returns null if the attempt is allowed, else
   * the seconds to wait.
   */
  async record(ctx: RequestContext, { tenantId, id }: UserKey, now: Date): Promise<number | null> {
    const windowStart = new Date(now.getTime() - WINDOW_SECONDS * 1_000);
    const updatedRows = await this.execute(
      ctx,
      `INSERT INTO reauthentication_tries AS t (tenant_id, user_id, window_started_at, tries) VALUES ($1, $2, $3, 1)
       ON CONFLICT (tenant_id, user_id) DO UPDATE SET
         tries = CASE WHEN t.window_started_at <= $4 THEN 1 ELSE t.tries + 1 END,
         window_started_at = CASE WHEN t.window_started_at <= $4 THEN $3 ELSE t.window_started_at END
       WHERE t.window_started_at <= $4 OR t.tries < ${MAX_ATTEMPTS}`,
      [tenantId, id, now, windowStart],
    );
    if (updatedRows === 1) return null;
    const [window] = await this.query(
      ctx,
      WINDOW_ROW,
      'SELECT window_started_at AS "startedAt" FROM reauthentication_tries WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, id],
    );
    const endsMs = (window?.startedAt.getTime() ?? now.getTime()) + WINDOW_SECONDS * 1_000;
    return Math.max(1, Math.ceil((endsMs - now.getTime()) / 1_000));
  }

  async clear(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    await this.execute(ctx, 'DELETE FROM reauthentication_tries WHERE tenant_id = $1 AND user_id = $2', [tenantId, id]);
  }
}
