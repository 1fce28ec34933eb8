import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { DataSource } from 'typeorm';
import { BaseQuery } from '../base.query.js';
import { tryLockKey } from '../lock-key.js';
import { column, row } from '../row-type.js';
import { TransactionRunner } from '../transaction-runner.js';
import {
  historyColumnsOf,
  historyTableOf,
  keyColumnsOf,
  metadataOf,
  TRACKED_TABLES,
  type TrackedTable,
} from './tracked-tables.js';

const MOMENT_ROW = row({ at: column.text() });

/**
 * Completes the history after the update from a version without history. Processes of this version can change rows after the migration and
 * track no changes. Once they have ended, the present versions are compared with the rows, and the history begins at this moment.
 */
@Injectable()
export class HistoryReconciliationQuery extends BaseQuery {
  private readonly transactions: TransactionRunner;
  private isReconciled = false;

  constructor(private readonly connections: DataSource) {
    super(connections);
    this.transactions = new TransactionRunner(connections);
  }

  /** Reconciles the history once, if it began before a time. Does nothing in a new installation, and while another process reconciles. */
  async reconcile(ctx: RequestContext, startedBefore: Date): Promise<void> {
    if (this.isReconciled) return;
    await this.transactions.run(ctx, async (ctx) => {
      if (!(await tryLockKey(ctx, 'history-reconciliation'))) return;
      await this.execute(ctx, 'SET LOCAL statement_timeout = 0');
      const [start] = await this.query(
        ctx,
        row({ isReconciled: column.boolean(), isDue: column.boolean() }),
        'SELECT reconciled_at IS NOT NULL AS "isReconciled", started_at <= $1 AS "isDue" FROM history_start',
        [startedBefore],
      );
      this.isReconciled = start?.isReconciled ?? false;
      if (this.isReconciled || !start?.isDue) return;
      const [moment] = await this.query(ctx, MOMENT_ROW, 'SELECT clock_timestamp()::text AS at');
      for (const table of Object.keys(TRACKED_TABLES) as TrackedTable[]) await this.reconcileTable(ctx, table, moment!.at);
      await this.execute(ctx, 'UPDATE history_start SET started_at = $1, reconciled_at = $1', [moment!.at]);
    });
  }

  private async reconcileTable(ctx: RequestContext, table: TrackedTable, at: string): Promise<void> {
    const history = historyTableOf(table);
    const columns = historyColumnsOf(table, metadataOf(this.connections, table));
    const sameKey = ['tenant_id', ...keyColumnsOf(table)].map((name) => `t.${name} = h.${name}`).join(' AND ');
    const list = (alias: string) => columns.map((name) => `${alias}.${name}`).join(', ');
    await this.execute(
      ctx,
      `UPDATE ${history} h SET valid_to = $1::timestamptz WHERE h.valid_to = 'infinity' AND NOT EXISTS (
         SELECT FROM ${table} t WHERE ${sameKey} AND (${list('t')}) IS NOT DISTINCT FROM (${list('h')}))`,
      [at],
    );
    await this.execute(
      ctx,
      `INSERT INTO ${history} (${columns.join(', ')}, valid_from, valid_to) SELECT ${list('t')}, $1::timestamptz, 'infinity' FROM ${table} t
       WHERE NOT EXISTS (SELECT FROM ${history} h WHERE ${sameKey} AND h.valid_to = 'infinity')`,
      [at],
    );
  }
}
