import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { MessageChannel, StoredMessage } from './message.js';

const COLUMNS = `tenant_id AS "tenantId", id, organization_id AS "organizationId", channel, template, recipient,
  content_sealed AS "contentSealed", status, attempt_count AS "attemptCount", last_error AS "lastError", created_at AS "createdAt",
  sent_at AS "sentAt"`;

/** Due: not finished, its time has come, and nobody holds a lease on it. */
const DUE = `status IN ('pending', 'sending') AND next_attempt_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)`;

export type NewMessage = Pick<
  StoredMessage,
  'tenantId' | 'id' | 'organizationId' | 'channel' | 'template' | 'recipient' | 'contentSealed' | 'createdAt'
>;

/** Who works on a message, and until when nobody else does. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/** How an attempt ended. A message that failed for now gets the time of its next attempt; without one it is given up. */
export type AttemptResult =
  | { readonly status: 'sent'; readonly at: Date; readonly keepContent: boolean }
  | { readonly status: 'failed'; readonly error: string; readonly nextAttemptAt: Date | null };

/** Rows of messages, claimed with a lease. */
@Injectable()
export class MessageRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, message: NewMessage): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO messages (tenant_id, id, organization_id, channel, template, recipient, content_sealed, next_attempt_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [
        message.tenantId,
        message.id,
        message.organizationId,
        message.channel,
        message.template,
        message.recipient,
        message.contentSealed,
        message.createdAt,
      ],
    );
  }

  /**
   * Claims up to `limit` due messages, counting the attempt. Candidates are chosen first and claimed by id: several senders may choose
   * the same, but each row goes to one of them, since the update looks at the lease again.
   */
  async claim(ctx: RequestContext, channel: MessageChannel, now: Date, lease: Lease, limit: number): Promise<StoredMessage[]> {
    const candidates = await this.query<{ id: string }>(
      ctx,
      `SELECT id FROM messages WHERE ${DUE} AND channel = $2 ORDER BY next_attempt_at LIMIT $3`,
      [now, channel, limit],
    );
    if (candidates.length === 0) return [];
    return this.query<StoredMessage>(
      ctx,
      `UPDATE messages SET status = 'sending', attempt_count = attempt_count + 1, lease_owner = $2, lease_until = $3
       WHERE id = ANY($4) AND ${DUE}
       RETURNING ${COLUMNS}`,
      [now, lease.owner, lease.until, candidates.map(({ id }) => id)],
    );
  }

  /** Records how an attempt ended; false when the lease has gone to someone else meanwhile, whose result counts. */
  async finish(ctx: RequestContext, { tenantId, id }: StoredMessage, owner: string, result: AttemptResult): Promise<boolean> {
    const released = 'lease_owner = NULL, lease_until = NULL';
    const fence = `tenant_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'sending'`;
    const touched =
      result.status === 'sent'
        ? await this.execute(
            ctx,
            `UPDATE messages SET status = 'sent', sent_at = $4, last_error = NULL, ${released},
               content_sealed = CASE WHEN $5 THEN content_sealed ELSE '' END
             WHERE ${fence}`,
            [tenantId, id, owner, result.at, result.keepContent],
          )
        : await this.execute(
            ctx,
            `UPDATE messages SET status = CASE WHEN $4::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
               next_attempt_at = coalesce($4, next_attempt_at), last_error = $5, ${released}
             WHERE ${fence}`,
            [tenantId, id, owner, result.nextAttemptAt, result.error],
          );
    return touched === 1;
  }

  async removeOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.query(ctx, 'DELETE FROM messages WHERE tenant_id = $1 AND organization_id = ANY($2)', [tenantId, organizationIds]);
  }

  /** The newest messages of all tenants, of one recipient if given; for the development mailbox alone. */
  async listNewest(ctx: RequestContext, limit: number, recipient?: string): Promise<StoredMessage[]> {
    return this.query<StoredMessage>(
      ctx,
      `SELECT ${COLUMNS} FROM messages WHERE $2::text IS NULL OR lower(recipient) = lower($2) ORDER BY id DESC LIMIT $1`,
      [limit, recipient ?? null],
    );
  }

  /** One message of any tenant; for the development mailbox alone. */
  async find(ctx: RequestContext, id: string): Promise<StoredMessage | null> {
    return (await this.query<StoredMessage>(ctx, `SELECT ${COLUMNS} FROM messages WHERE id = $1`, [id]))[0] ?? null;
  }
}
