import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { MessageChannel } from './message.entity.js';

/** The condition for messages that are due, not finished and not leased. */
const DUE = `status IN ('pending', 'sending') AND next_attempt_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)`;

const KEY_ROW = row({ tenantId: column.text(), id: column.text() });
const CLAIMED_ROW = row({
  tenantId: column.text(),
  id: column.text(),
  channel: column.text<MessageChannel>(),
  template: column.text(),
  recipient: column.text(),
  contentSealed: column.text(),
  attemptCount: column.integer(),
});
export type ClaimedMessage = RowOf<typeof CLAIMED_ROW>;

/** The lease of a message. Only the owner attempts the message until the lease expires. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** The result of an attempt. If `nextAttemptAt` is null, the message is not retried. A postponed message was not attempted. */
export type AttemptResult =
  | { readonly status: 'sent'; readonly at: Date; readonly keepContent: boolean }
  | { readonly status: 'failed'; readonly error: string; readonly nextAttemptAt: Date | null }
  | { readonly status: 'postponed'; readonly error: string; readonly nextAttemptAt: Date };

/** Claims due messages and records the results of attempts. */
@Injectable()
export class MessageLeaseQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Claims up to `limit` due messages and increments their attempt counts. Concurrent processes can select the same candidates. The
   * update checks the lease again, so only one process claims a message.
   */
  async claim(ctx: RequestContext, channel: MessageChannel, now: Date, lease: Lease, limit: number): Promise<ClaimedMessage[]> {
    const candidates = await this.query(
      ctx,
      KEY_ROW,
      `SELECT tenant_id AS "tenantId", id FROM messages WHERE ${DUE} AND channel = $2 ORDER BY next_attempt_at LIMIT $3`,
      [now, channel, limit],
    );
    if (candidates.length === 0) return [];
    return this.query(
      ctx,
      CLAIMED_ROW,
      `UPDATE messages SET status = 'sending', attempt_count = attempt_count + 1, lease_owner = $2, lease_until = $3
       WHERE tenant_id = ANY($4) AND id = ANY($5) AND ${DUE}
       RETURNING tenant_id AS "tenantId", id, channel, template, recipient, content_sealed AS "contentSealed",
         attempt_count AS "attemptCount"`,
      [now, lease.owner, lease.until, candidates.map(({ tenantId }) => tenantId), candidates.map(({ id }) => id)],
    );
  }

  /**
   * Records the result of an attempt and ends the lease. Returns false and records nothing if another process claimed the message after
   * the lease expired.
   */
  async finish(
    ctx: RequestContext,
    { tenantId, id }: Pick<ClaimedMessage, 'tenantId' | 'id'>,
    owner: string,
    result: AttemptResult,
  ): Promise<boolean> {
    const isLeased = `tenant_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'sending'`;
    const changed =
      result.status === 'sent'
        ? await this.execute(
            ctx,
            `UPDATE messages SET status = 'sent', sent_at = $4, last_error = NULL, lease_owner = NULL, lease_until = NULL,
               content_sealed = CASE WHEN $5 THEN content_sealed ELSE '' END
             WHERE ${isLeased}`,
            [tenantId, id, owner, result.at, result.keepContent],
          )
        : await this.execute(
            ctx,
            `UPDATE messages SET status = CASE WHEN $4::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
               next_attempt_at = coalesce($4, next_attempt_at), attempt_count = attempt_count - $6::int, last_error = $5,
               lease_owner = NULL, lease_until = NULL
             WHERE ${isLeased}`,
            [tenantId, id, owner, result.nextAttemptAt, result.error, result.status === 'postponed' ? 1 : 0],
          );
    return changed === 1;
  }
}
