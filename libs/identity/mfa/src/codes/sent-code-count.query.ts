import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';
import { CodeLimit } from '../mfa-errors.js';
import type { CodeMethod } from '../mfa-method.js';

const PAUSE_SECONDS = 30;
const WINDOW_SECONDS = 3_600;
const MAX_IN_WINDOW = 10;

const COUNT_ROW = row({ windowStartedAt: column.timestamp(), sent: column.integer(), lastSentAt: column.timestamp() });

/** Limits the codes that each method sends to a user: one per 30 s and ten per hour. Prevents floods of messages and high costs. */
@Injectable()
export class SentCodeCountQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Records a sent code. Concurrent calls can't exceed the limit. @throws CodeLimit (429) */
  async record(ctx: RequestContext, { tenantId, id }: UserKey, method: CodeMethod, now: Date): Promise<void> {
    const pauseStart = new Date(now.getTime() - PAUSE_SECONDS * 1_000);
    const windowStart = new Date(now.getTime() - WINDOW_SECONDS * 1_000);
    const updatedRows = await this.execute(
      ctx,
      `INSERT INTO sent_code_counts AS c (tenant_id, user_id, method, window_started_at, sent, last_sent_at)
       VALUES ($1, $2, $3, $4, 1, $4)
       ON CONFLICT (tenant_id, user_id, method) DO UPDATE SET
         sent = CASE WHEN c.window_started_at <= $6 THEN 1 ELSE c.sent + 1 END,
         window_started_at = CASE WHEN c.window_started_at <= $6 THEN $4 ELSE c.window_started_at END,
         last_sent_at = $4
       WHERE c.last_sent_at <= $5 AND (c.window_started_at <= $6 OR c.sent < ${MAX_IN_WINDOW})`,
      [tenantId, id, method, now, pauseStart, windowStart],
    );
    if (updatedRows === 0) throw new CodeLimit(await this.secondsToWait(ctx, { tenantId, id }, method, now));
  }

  private async secondsToWait(ctx: RequestContext, { tenantId, id }: UserKey, method: CodeMethod, now: Date): Promise<number> {
    const [count] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT window_started_at AS "windowStartedAt", sent, last_sent_at AS "lastSentAt" FROM sent_code_counts
       WHERE tenant_id = $1 AND user_id = $2 AND method = $3`,
      [tenantId, id, method],
    );
    if (!count) return 1;
    const pauseEnd = count.lastSentAt.getTime() + PAUSE_SECONDS * 1_000;
    const windowEnd = count.sent >= MAX_IN_WINDOW ? count.windowStartedAt.getTime() + WINDOW_SECONDS * 1_000 : 0;
    return Math.max(1, Math.ceil((Math.max(pauseEnd, windowEnd) - now.getTime()) / 1_000));
  }
}
