import { Injectable, Logger } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { OrganizationScopeQuery } from '#directory/organizations';
import { purgeableSince } from './restore-window.js';
import { UserErasureService } from './user-erasure.service.js';
import { UserPurgeQuery } from './user-purge.query.js';

const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 500;

/** Erases deleted users after the end of the restore window. */
@Injectable()
export class UserPurgeService extends WorkerLoop {
  private readonly logger = new Logger(UserPurgeService.name);

  constructor(
    config: AppConfig,
    private readonly userPurge: UserPurgeQuery,
    private readonly scopes: OrganizationScopeQuery,
    private readonly erasure: UserErasureService,
    private readonly clock: Clock,
  ) {
    super(config, 'UserPurge', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return (await this.purgeDue()) === BATCH_SIZE;
  }

  /** Purges up to 500 users who were deleted at least 30 days ago, one transaction per user. Returns the number of purged users. */
  async purgeDue(): Promise<number> {
    const ctx = systemContext(newId('request'));
    const before = purgeableSince(this.clock.now());
    let purged = 0;
    for (const { tenantId, id, organizationId } of await this.userPurge.listPurgeable(ctx, before, BATCH_SIZE)) {
      // Users of a deleted organization are purged together with the organization.
      const managingOrganization = await this.scopes.findScope(ctx, organizationId);
      if (managingOrganization && (await this.erasure.purge(ctx, { tenantId, id }, managingOrganization))) purged++;
    }
    if (purged > 0) this.logger.log(`Purged ${purged} users that were deleted more than 30 days ago.`);
    return purged;
  }
}
