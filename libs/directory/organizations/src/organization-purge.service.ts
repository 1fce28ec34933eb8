import { Injectable, Logger } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { OrganizationLifecycleHandlers } from './organization-ports.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { RESTORE_WINDOW_MS } from './restore-window.js';

const INTERVAL_MS = 3_600_000;

/** Removes organizations for good once they can no longer be restored. */
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

  /** Purges all deletions that are 30 days old, each in a transaction of its own. Gives how many organizations went. */
  async purgeDue(): Promise<number> {
    const ctx = systemContext(newId('request'));
    const before = new Date(this.work.now().getTime() - RESTORE_WINDOW_MS);
    let purged = 0;
    for (const { tenantId, id } of await this.organizationTree.listPurgeable(ctx, before)) {
      purged += await this.work.run(ctx, async (ctx) => {
        await this.organizationTree.disableStatementTimeout(ctx);
        await this.organizationTree.lock(ctx, tenantId);
        const all = await this.organizationTree.lockDeletedWith(ctx, { tenantId, id });
        if (all.length === 0 || all.some(({ deletedAt }) => deletedAt! > before)) return 0;
        // What was deleted below before has been waiting as long or longer, and can't outlive what it hangs on.
        const ids = await this.organizationTree.listDeletedInSubtree(ctx, { tenantId, id });
        await this.lifecycleHandlers.onPurged(ctx, tenantId, ids);
        await this.organizationTree.purge(ctx, tenantId, ids);
        return ids.length;
      });
    }
    if (purged > 0) this.logger.log(`Purged ${purged} organizations that were deleted more than 30 days ago.`);
    return purged;
  }
}
