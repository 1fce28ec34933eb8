import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { HistoryQuery, HistoryReconciliationQuery, TRACKED_TABLES, type TrackedTable } from '#platform/database';

const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** The time in which processes of the previous version end after an update. */
const UPDATE_MS = 3_600_000;

/**
 * Deletes versions of rows that are older than `RETENTION_HISTORY`. Completes the history after the update from a version without history.
 * Runs every hour, in processes that do background work.
 */
@Injectable()
export class HistoryCleanupService extends WorkerLoop {
  constructor(
    private readonly config: AppConfig,
    private readonly history: HistoryQuery,
    private readonly reconciliation: HistoryReconciliationQuery,
    private readonly clock: Clock,
  ) {
    super(config, HistoryCleanupService.name, INTERVAL_MS);
  }

  /** Deletes a batch of each table. Returns whether more versions can exist. */
  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const now = this.clock.now().getTime();
    await this.reconciliation.reconcile(ctx, new Date(now - UPDATE_MS));
    const until = new Date(now - this.config.retentionHistoryMs);
    let hasMore = false;
    for (const table of Object.keys(TRACKED_TABLES) as TrackedTable[]) {
      const deleted = await this.history.deleteVersions(ctx, table, until, BATCH_SIZE);
      hasMore ||= deleted === BATCH_SIZE;
    }
    return hasMore;
  }
}
