import { Injectable, Logger } from '@nestjs/common';
import { DomainError, newId, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { ScimActivationService, type ScimConnection, ScimConnectionStopped } from '#directory/scim-connections';
import { scimCallerOf } from '../access/scim-caller.js';
import { connectionOf } from '../access/scim-connection.js';
import { ScimPreviewApplicationService } from '../preview/scim-preview-application.service.js';
import { ScimRemovalService } from '../users/scim-removal.service.js';

const BATCH_SIZE = 100;

/** Applies recorded changes and restores removed users, in batches. Each user has a transaction, so an interrupted job continues. */
@Injectable()
export class ScimJobsService {
  private readonly logger = new Logger(ScimJobsService.name);

  constructor(
    private readonly work: UnitOfWork,
    private readonly scopes: OrganizationScopeQuery,
    private readonly activation: ScimActivationService,
    private readonly application: ScimPreviewApplicationService,
    private readonly removals: ScimRemovalService,
  ) {}

  /** Runs one batch of a job. Returns whether more is to do. */
  async runBatch(connection: ScimConnection, systemCtx: RequestContext): Promise<boolean> {
    const { tenantId, organizationId } = connection;
    const organization = await this.scopes.findById(systemCtx, { tenantId, id: organizationId });
    // The organization is deleted. It can be restored.
    if (!organization) return false;
    const { id, name, adoptExistingUsers } = connection;
    const ctx: RequestContext = {
      ...systemCtx,
      actor: { type: 'scim', id, name },
      caller: scimCallerOf(id, organization, { name, adoptExistingUsers, mode: 'active' }),
      requestId: newId('request'),
      organization,
    };
    if (connection.mode === 'applying') {
      const isMore = await this.applyBatch(ctx);
      if (!isMore) await this.activation.finishApplying(ctx, connection);
      return isMore;
    }
    return this.restoreBatch(ctx, connection);
  }

  private async applyBatch(ctx: RequestContext): Promise<boolean> {
    try {
      return await this.application.applyBatch(ctx, BATCH_SIZE);
    } catch (error) {
      if (!(error instanceof ScimConnectionStopped)) throw error;
      await this.removals.stop(ctx, connectionOf(ctx));
      return false;
    }
  }

  private async restoreBatch(ctx: RequestContext, connection: ScimConnection): Promise<boolean> {
    const removals = await this.activation.listToRestore(ctx, connection, BATCH_SIZE);
    let restored = 0;
    for (const { userId, kind } of removals) {
      try {
        if (await this.work.run(ctx, (ctx) => this.removals.restore(ctx, connectionOf(ctx), userId, kind))) restored++;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        this.logger.warn({ err: error, userId }, 'Could not restore a user.');
        await this.work.run(ctx, (ctx) => this.removals.forget(ctx, connectionOf(ctx), userId));
      }
    }
    await this.activation.countRestored(ctx, connection, restored);
    if (removals.length === BATCH_SIZE) return true;
    await this.activation.finishRollBack(ctx, connection.id);
    return false;
  }
}
