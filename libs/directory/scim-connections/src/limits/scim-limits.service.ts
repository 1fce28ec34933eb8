import { Injectable } from '@nestjs/common';
import { organizationOf, type OrganizationScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { lockKey } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { mailStyle, MessageOutbox, scimStoppedMail } from '#platform/mail';
import { MailDefaultsService, OwnerAddresses } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { ScimConnectionRepository } from '../scim-connection.repository.js';
import { scimConnectionData } from '../scim-connections.definitions.js';
import type { ScimConnection } from '../scim-connection.entity.js';
import { HOUR_MS, type RemovalKind, ScimRemovalsQuery } from './scim-removals.query.js';

/** The percentage has no effect on fewer removals, so that a small organization can remove somebody. */
const MIN_REMOVALS_FOR_PERCENT = 10;

/** The removal would exceed a limit. Not shown to callers: the connection is stopped, then the request is rejected. */
export class ScimLimitExceeded extends Error {}

/** Counts the users whom a connection suspends or deletes, and stops the connection when they exceed its limits. `identity/scim` calls it. */
@Injectable()
export class ScimLimitsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ScimConnectionRepository,
    private readonly removals: ScimRemovalsQuery,
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly owners: OwnerAddresses,
    private readonly config: AppConfig,
  ) {}

  /** Records a removal in the caller's transaction, before it happens. @throws ScimLimitExceeded */
  async recordRemoval(ctx: RequestContext, connectionId: string, userId: string, kind: RemovalKind): Promise<void> {
    const { tenantId } = organizationOf(ctx);
    // Removals of a connection are counted one after another.
    await lockKey(ctx, 'scim-removals', connectionId);
    const connection = await this.connections.findById(ctx, tenantId, connectionId);
    if (!connection) return;
    const now = this.work.now();
    if (await this.exceedsLimit(ctx, connection, userId, now)) throw new ScimLimitExceeded();
    await this.removals.record(ctx, connection, userId, kind, now);
  }

  /** Forgets a removal: a user who is active again does not count. Returns whether there was one. */
  async forgetRemoval(ctx: RequestContext, connectionId: string, userId: string): Promise<boolean> {
    return this.removals.delete(ctx, { tenantId: organizationOf(ctx).tenantId, id: connectionId }, userId);
  }

  /** Stops the connection, publishes the event and notifies the owners, unless another request has done so. */
  async stop(ctx: RequestContext, connectionId: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const connection = await this.connections.lock(ctx, organization, connectionId);
      if (connection?.mode !== 'active' && connection?.mode !== 'applying') return;
      const now = this.work.now();
      const removedUsers = await this.removals.countSince(ctx, connection, this.windowStart(connection, now));
      Object.assign(connection, { mode: 'stopped', stoppedAt: now, updatedAt: now } satisfies Partial<ScimConnection>);
      await this.connections.update(ctx, connection, unneeded<'gain'>('connection_job'));
      const data = { ...scimConnectionData(connection), removedUsers };
      await this.work.publish(ctx, 'scim_connection.stopped', organization, data);
      await this.sendStopMail(ctx, organization, connection, removedUsers);
    });
  }

  private async exceedsLimit(ctx: RequestContext, connection: ScimConnection, userId: string, now: Date): Promise<boolean> {
    const { mode, maxRemovals, maxRemovalPercent, limitsPausedUntil } = connection;
    if (mode === 'stopped') return true;
    const isLimited = mode === 'active' || mode === 'applying';
    if (!isLimited || (limitsPausedUntil && limitsPausedUntil > now)) return false;
    if (maxRemovals === null && maxRemovalPercent === null) return false;
    // A user who is suspended and then deleted counts once.
    const removed = await this.removals.countSince(ctx, connection, this.windowStart(connection, now), userId);
    if (maxRemovals !== null && removed >= maxRemovals) return true;
    if (maxRemovalPercent === null || removed < MIN_REMOVALS_FOR_PERCENT) return false;
    // Counts no more users than the comparison needs.
    const needed = Math.ceil(((removed + 1) * 100) / maxRemovalPercent) - removed;
    return (await this.removals.countUsers(ctx, connection, needed)) < needed;
  }

  /** Removals while the limits were paused don't count. */
  private windowStart({ limitsPausedUntil }: ScimConnection, now: Date): Date {
    return new Date(Math.max(now.getTime() - HOUR_MS, limitsPausedUntil?.getTime() ?? 0));
  }

  /** Notifies every owner, in the owner's language, that a limit stopped a connection. */
  private async sendStopMail(
    ctx: RequestContext,
    organization: OrganizationScope,
    { id, name: connectionName }: ScimConnection,
    removedUsers: number,
  ): Promise<void> {
    const defaults = await this.mailDefaults.get(ctx, organization);
    const url = `${this.config.baseUrl}/dashboard/organizations/${organization.id}/scim/${id}`;
    const data = { organizationName: organization.name, connectionName, removedUsers, url };
    const envelope = { tenantId: organization.tenantId, organizationId: organization.id, template: 'scim_connection_stopped' };
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = scimStoppedMail({ ...data, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { ...envelope, to, content });
    }
  }
}
