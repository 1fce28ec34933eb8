import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const WINDOW_SECONDS = 15 * 60;
const MAX_TRIES = 5;

/** Counts passwords that are asked for again: at most five wrong ones in 15 minutes. */
@Injectable()
export class ReauthenticationTriesRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Counts a try before it is judged; gives the seconds to wait when there were too many, else null. */
  async count(ctx: RequestContext, { tenantId, id }: UserKey, now: Date): Promise<number | null> {
    const windowStart = new Date(now.getTime() - WINDOW_SECONDS * 1_000);
    const counted = await this.execute(
      ctx,
      `INSERT INTO reauthentication_tries AS t (tenant_id, user_id, window_started_at, tries) VALUES ($1, $2, $3, 1)
       ON CONFLICT (tenant_id, user_id) DO UPDATE SET
         tries = CASE WHEN t.window_started_at <= $4 THEN 1 ELSE t.tries + 1 END,
         window_started_at = CASE WHEN t.window_started_at <= $4 THEN $3 ELSE t.window_started_at END
       WHERE t.window_started_at <= $4 OR t.tries < ${MAX_TRIES}`,
      [tenantId, id, now, windowStart],
    );
    if (counted === 1) return null;
    const [row] = await this.query<{ started: Date }>(
      ctx,
      'SELECT window_started_at AS started FROM reauthentication_tries WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, id],
    );
    const endsMs = (row?.started.getTime() ?? now.getTime()) + WINDOW_SECONDS * 1_000;
    return Math.max(1, Math.ceil((endsMs - now.getTime()) / 1_000));
  }

  /** Forgets the tries, because one was right. */
  async clear(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    await this.execute(ctx, 'DELETE FROM reauthentication_tries WHERE tenant_id = $1 AND user_id = $2', [tenantId, id]);
  }
}
