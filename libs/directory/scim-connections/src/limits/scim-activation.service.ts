import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { ScimConnectionBusy, ScimConnectionNotStopped } from '../scim-connection-errors.js';
import type { ScimConnection, ScimMode } from '../scim-connection.entity.js';
import { ScimConnectionRepository } from '../scim-connection.repository.js';
import { scimConnectionData } from '../scim-connections.definitions.js';
import { ScimConnectionsService } from '../scim-connections.service.js';
import { ScimDeletionQuery } from '../scim-deletion.query.js';
import { HOUR_MS, ScimRemovalsQuery, type Removal } from './scim-removals.query.js';

/** The time after a stop in which removals of a connection that is active again can be rolled back. */
const ROLL_BACK_MS = 24 * HOUR_MS;

/** Activates connections, and rolls back what a stopped connection removed. */
@Injectable()
export class ScimActivationService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ScimConnectionRepository,
    private readonly connectionsService: ScimConnectionsService,
    private readonly removals: ScimRemovalsQuery,
    private readonly deletion: ScimDeletionQuery,
  ) {}

  /**
   * Lets a stopped connection continue without limits for an hour. Starts to apply what a connection in preview recorded, within the limits.
   * Has no effect on an active connection. What the connection removed before it was stopped can still be rolled back.
   * @throws ResourceNotFound (404), GrantBeyondOwn (403), ReauthenticationRequired (401), ScimConnectionBusy (409)
   */
  async activate(ctx: RequestContext, id: string): Promise<ScimConnection> {
    return this.change(ctx, id, async (connection, now, ctx) => {
      if (connection.mode === 'active') return {};
      assertIdle(connection);
      if (connection.mode === 'preview') return { mode: 'applying' };
      // A limit can have stopped the connection while it applied a preview.
      const mode: ScimMode = (await this.removals.hasRecordedChanges(ctx, connection)) ? 'applying' : 'active';
      return { mode, limitsPausedUntil: new Date(now.getTime() + HOUR_MS) };
    });
  }

  /**
   * Only records changes by the directory from now on. Deletes what an earlier preview recorded and could not apply.
   * @throws ResourceNotFound (404), GrantBeyondOwn (403), ReauthenticationRequired (401), ScimConnectionBusy (409)
   */
  async preview(ctx: RequestContext, id: string): Promise<ScimConnection> {
    return this.change(ctx, id, async (connection, now, ctx) => {
      if (connection.mode === 'preview') return {};
      assertIdle(connection);
      await this.deletion.deletePreview(ctx, connection);
      return { mode: 'preview', stoppedAt: canRollBack(connection, now) ? connection.stoppedAt : null };
    });
  }

  /**
   * Starts to restore the users whom a stopped connection suspended or deleted in the hour before it stopped and since then. Also possible in
   * preview and for a day after the stop, so that a start of a preview or an activation by mistake loses nothing.
   * @throws ResourceNotFound (404), GrantBeyondOwn (403), ReauthenticationRequired (401), ScimConnectionNotStopped (409)
   */
  async rollBack(ctx: RequestContext, id: string): Promise<ScimConnection> {
    return this.change(ctx, id, async (connection, now) => {
      assertIdle(connection);
      if (!canRollBack(connection, now)) throw new ScimConnectionNotStopped(connection);
      return { mode: 'rolling_back', restoredUsers: 0 };
    });
  }

  /** Returns connections of all tenants with a background job. */
  async listJobs(ctx: RequestContext, limit: number): Promise<ScimConnection[]> {
    const jobs = await this.removals.listJobs(ctx, limit);
    const found = await Promise.all(jobs.map(({ tenantId, id }) => this.connections.findById(ctx, tenantId, id)));
    return found.filter((connection) => connection !== null);
  }

  /** Returns the mode of a connection, or undefined if it is deleted. The mode can't change until the transaction ends. */
  async lockMode(ctx: RequestContext, id: string): Promise<ScimMode | undefined> {
    return (await this.connections.lockShared(ctx, organizationOf(ctx), id))?.mode;
  }

  /** Activates a connection whose recorded changes have been applied, unless it has changed since the job read it. */
  async finishApplying(ctx: RequestContext, { id, version }: Pick<ScimConnection, 'id' | 'version'>): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const connection = await this.connections.lock(ctx, organizationOf(ctx), id);
      if (connection?.mode !== 'applying' || connection.version !== version) return;
      const before = scimConnectionData(connection);
      connection.mode = 'active';
      await this.connectionsService.save(ctx, connection, before, unneeded<'gain'>('connection_job'));
    });
  }

  async countRestored(ctx: RequestContext, connection: ScimConnection, count: number): Promise<void> {
    await this.connections.addRestored(ctx, connection, count);
  }

  /** Returns the next users to restore. */
  async listToRestore(ctx: RequestContext, connection: ScimConnection, limit: number): Promise<Removal[]> {
    const stoppedAt = connection.stoppedAt ?? this.work.now();
    return this.removals.listSince(ctx, connection, new Date(stoppedAt.getTime() - HOUR_MS), limit);
  }

  /** Ends the restoration. The connection stays stopped until somebody activates it. */
  async finishRollBack(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const connection = await this.connections.lock(ctx, organization, id);
      if (connection?.mode !== 'rolling_back') return;
      connection.mode = 'stopped';
      connection.updatedAt = this.work.now();
      await this.connections.update(ctx, connection, unneeded<'gain'>('connection_job'));
      const data = { ...scimConnectionData(connection), restoredUsers: connection.restoredUsers };
      await this.work.publish(ctx, 'scim_connection.rolled_back', organization, data);
    });
  }

  private async change(
    ctx: RequestContext,
    id: string,
    next: (connection: ScimConnection, now: Date, ctx: RequestContext) => Promise<Partial<ScimConnection>>,
  ): Promise<ScimConnection> {
    const gain = this.connectionsService.authorizeDelegation(ctx);
    return this.work.run(ctx, async (ctx) => {
      const connection = await this.connectionsService.lock(ctx, id);
      const before = scimConnectionData(connection);
      Object.assign(connection, await next(connection, this.work.now(), ctx));
      return this.connectionsService.save(ctx, connection, before, gain);
    });
  }
}

/** @throws ScimConnectionBusy (409) during a background job */
function assertIdle(connection: ScimConnection): void {
  if (connection.mode === 'applying' || connection.mode === 'rolling_back') throw new ScimConnectionBusy(connection);
}

/** Whether removals before the last stop can be rolled back. The activation confirms them after a day. */
function canRollBack({ mode, stoppedAt }: ScimConnection, now: Date): boolean {
  if (mode === 'stopped') return true;
  return stoppedAt !== null && (mode === 'preview' || now.getTime() - stoppedAt.getTime() < ROLL_BACK_MS);
}
