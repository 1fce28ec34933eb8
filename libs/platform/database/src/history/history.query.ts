import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { CleanupQuery } from '../cleanup.query.js';
import { column, row } from '../row-type.js';
import { historyLock } from './history-batch.js';
import { HistoryUnavailable } from './moment-errors.js';
import { historyTableOf, keyColumnsOf, ORGANIZATION_COLUMNS, type TrackedTable, USER_COLUMNS } from './tracked-tables.js';

const MOMENT_ROW = row({
  isFuture: column.boolean(),
  isRecent: column.boolean(),
  now: column.text(),
  earliest: column.timestamp(),
  isAvailable: column.boolean(),
});
const LOCK_ROW = row({ locked: column.boolean() });

/** Checks moments, and deletes versions of rows. */
@Injectable()
export class HistoryQuery extends CleanupQuery {
  /** By tenant: all transactions with changes of this moment or an earlier one have ended. */
  private readonly settledUntil = new LRUCache<string, string>({ max: 10_000 });

  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Asserts that the history has the rows of a moment (ISO 8601 in UTC with microseconds). Returns false if the moment is in the future. If the moment is less than a minute
   * ago, waits for the transactions that are committing changes of this moment, so that the answer for a moment never changes.
   * @throws HistoryUnavailable (410)
   */
  async assertAvailable(ctx: RequestContext, tenantId: string, asOf: string, retentionMs: number): Promise<boolean> {
    const [moment] = await this.query(
      ctx,
      MOMENT_ROW,
      `SELECT to_char(now.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now, $1::timestamptz > now.at AS "isFuture", $1::timestamptz > now.at - interval '1 minute' AS "isRecent",
         e.earliest, $1::timestamptz >= e.earliest AS "isAvailable"
       FROM history_start s, (SELECT clock_timestamp() AS at) now,
         LATERAL (SELECT date_trunc('milliseconds', greatest(s.started_at, now.at - $2::float8 * interval '1 ms') + interval '999 microseconds') AS earliest) e`,
      [asOf, retentionMs],
      { prepared: true },
    );
    if (!moment) throw new Error('The table history_start is empty.');
    if (moment.isFuture) return false;
    if (!moment.isAvailable) throw new HistoryUnavailable(moment.earliest);
    const isSettled = !moment.isRecent || asOf <= (this.settledUntil.get(tenantId) ?? '');
    if (!isSettled && !ctx.transaction) {
      await this.waitForCommits(ctx, tenantId);
      this.settledUntil.set(tenantId, moment.now);
    }
    return true;
  }

  private async waitForCommits(ctx: RequestContext, tenantId: string): Promise<void> {
    const sql = `SELECT true AS locked FROM pg_advisory_xact_lock(${historyLock('$1::text')})`;
    await this.query(ctx, LOCK_ROW, sql, [tenantId], { prepared: true });
  }

  /** Deletes all versions of the rows of users in their tenants. @throws Error outside a transaction */
  async purgeUsers(
    ctx: RequestContext,
    users: readonly { readonly userId: string; readonly tenantIds: readonly string[] }[],
  ): Promise<void> {
    for (const tenantId of new Set(users.flatMap(({ tenantIds }) => tenantIds))) {
      const ids = users.filter(({ tenantIds }) => tenantIds.includes(tenantId)).map(({ userId }) => userId);
      await this.purge(ctx, USER_COLUMNS, tenantId, ids);
    }
  }

  /** Deletes all versions of the rows of organizations. @throws Error outside a transaction */
  async purgeOrganizations(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    await this.purge(ctx, ORGANIZATION_COLUMNS, tenantId, ids);
  }

  private async purge(
    ctx: RequestContext,
    columns: Readonly<Partial<Record<TrackedTable, string>>>,
    tenantId: string,
    ids: readonly string[],
  ): Promise<void> {
    for (const [table, column] of Object.entries(columns)) {
      const sql = `DELETE FROM ${historyTableOf(table as TrackedTable)} WHERE tenant_id = $1 AND ${column} = ANY ($2)`;
      await this.execute(ctx, sql, [tenantId, ids]);
    }
  }

  /** Deletes at most `limit` versions of rows of a table that were replaced or deleted at or before a time. Returns their number. */
  deleteVersions(ctx: RequestContext, table: TrackedTable, until: Date, limit: number): Promise<number> {
    const key = ['tenant_id', ...keyColumnsOf(table), 'valid_to'].join(', ');
    return this.deleteBatch(ctx, { table: historyTableOf(table), key, where: 'valid_to <= $1' }, [until], limit);
  }
}
