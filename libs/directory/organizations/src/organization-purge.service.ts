import { Injectable, Logger } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { unneeded } from '#directory/privileges';
import { OrganizationLifecycleHandlers } from './organization-ports.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { RESTORE_WINDOW_MS } from './restore-window.js';

const INTERVAL_MS = 3_600_000;

/** Deletes organizations permanently after the end of the restore window. */
@Injectable()
export class OrganizationPurgeService extends WorkerLoop {
  private readonly logger = new Logger(OrganizationPurgeService.name);

  constructor(
    config: AppConfig,
    private readonly work: UnitOfWork,
    private readonly organizationTree: OrganizationTreeQuery,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {
    super(config, 'OrganizationPurge', INTERVAL_MS);
  }

  async run(): Promise<void> {
    await this.purgeDue();
  }

  /**
   * Purges the organizations that were deleted at least 30 days ago, in one transaction per deletion. Returns the number of purged
   * organizations.
   */
  async purgeDue(): Promise<number> {
    const ctx = systemContext(newId('request'));
    const before = new Date(this.work.now().getTime() - RESTORE_WINDOW_MS);
    let purgedCount = 0;
    for (const { tenantId, id } of await this.organizationTree.listPurgeable(ctx, before)) {
      purgedCount += await this.work.run(ctx, async (ctx) => {
        await this.organizationTree.disableStatementTimeout(ctx);
        await this.organizationTree.lock(ctx, tenantId);
        const deletedTogether = await this.organizationTree.lockDeletedWith(ctx, { tenantId, id });
        if (deletedTogether.length === 0 || deletedTogether.some(({ deletedAt }) => deletedAt !== null && deletedAt > before))
          return 0;
        // Includes descendants with an earlier deletion, because descendants can't exist without the ancestors.
        const ids = await this.organizationTree.listDeletedInSubtree(ctx, { tenantId, id });
        const loss = unneeded<'loss'>('organization_purged');
        await this.lifecycleHandlers.onPurged(ctx, tenantId, ids, loss);
        await this.organizationTree.purge(ctx, tenantId, ids, loss);
        return ids.length;
      });
    }
    if (purgedCount > 0) this.logger.log(`Purged ${purgedCount} organizations that were deleted more than 30 days ago.`);
    return purgedCount;
  }
}
