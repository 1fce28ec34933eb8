import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';

interface UserKey {
  readonly tenantId: string;
  readonly id: string;
}

const READ_ROW = row({ notificationId: column.text(), readAt: column.timestamp() });

/** Stores which notifications a user has read, in the tenant of the user. */
@Injectable()
export class NotificationReadQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns when the user read the notifications, by their ids. */
  async mapOf(ctx: RequestContext, { tenantId, id }: UserKey): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.query(
      ctx,
      READ_ROW,
      `SELECT notification_id AS "notificationId", read_at AS "readAt" FROM notification_reads WHERE tenant_id = $1 AND user_id = $2`,
      [tenantId, id],
    );
    return new Map(rows.map(({ notificationId, readAt }) => [notificationId, readAt]));
  }

  /** Marks notifications as read. The first time counts. */
  async insert(ctx: RequestContext, { tenantId, id }: UserKey, notificationIds: readonly string[], now: Date): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO notification_reads (tenant_id, user_id, notification_id, read_at)
       SELECT $1, $2, n.id, $4 FROM unnest($3::text[]) AS n (id) ON CONFLICT DO NOTHING`,
      [tenantId, id, notificationIds, now],
    );
  }

  /** Forgets what the user read before a time, except notifications that are still there. */
  async deleteBefore(ctx: RequestContext, { tenantId, id }: UserKey, before: Date, exceptIds: readonly string[]): Promise<void> {
    await this.execute(
      ctx,
      'DELETE FROM notification_reads WHERE tenant_id = $1 AND user_id = $2 AND read_at < $3 AND NOT notification_id = ANY ($4)',
      [tenantId, id, before, exceptIds],
    );
  }
}
