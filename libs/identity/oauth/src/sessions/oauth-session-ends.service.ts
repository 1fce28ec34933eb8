import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { Notifications, pipeline, TransactionRunner } from '#platform/database';
import { type DomainEvent, OnDomainEvent, UnitOfWork } from '#platform/events';
import { SessionEndHandlers, type UserKey } from '#directory/sessions';
import { type EndedOAuthSession, OAuthSessionQuery } from './oauth-session.query.js';

/** The PostgreSQL channel that wakes the check of sessions. */
export const OAUTH_SESSIONS_CHANNEL = 'oauth_sessions';

/**
 * Publishes `oauth_session.ended` for each client at which a session ends, in the transaction of the change that ends it. A change that can
 * end many sessions, such as the suspension of an organization, makes them due for `OAuthSessionChecksService` in its transaction.
 */
@Injectable()
export class OAuthSessionEndsService implements OnModuleInit {
  constructor(
    private readonly sessions: OAuthSessionQuery,
    private readonly handlers: SessionEndHandlers,
    private readonly work: UnitOfWork,
    private readonly transactions: TransactionRunner,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.handlers.register((ctx, user, sessionIds, reason) => this.endOfSessions(ctx, user, sessionIds, reason));
  }

  /** Publishes the ends of deleted rows, those of an organization together. */
  async publish(ctx: RequestContext, ended: readonly EndedOAuthSession[], reason: string): Promise<void> {
    const organizations = new Map(ended.map(({ organization }) => [organization.id, organization]));
    for (const organization of organizations.values()) {
      const own = ended.filter((each) => each.organization.id === organization.id);
      const occurrences = own.map(({ sessionId, userId, clientId, audience }) => ({
        data: { sessionId, userId, organizationId: organization.id, clientId, audience, reason },
        userId,
      }));
      await this.work.publishAll(ctx, 'oauth_session.ended', organization, occurrences);
    }
  }

  @OnDomainEvent('oauth_grant.revoked', { mode: 'transactional' })
  async endOfGrant(ctx: RequestContext, { tenantId, data }: DomainEvent<'oauth_grant.revoked'>): Promise<void> {
    await this.publish(ctx, await this.sessions.endOfGrant(ctx, tenantId, data.id), data.reason);
  }

  /** A suspended user can keep sessions, which then can't be used. */
  @OnDomainEvent('user.suspended', { mode: 'transactional' })
  async checkSuspended(ctx: RequestContext, { tenantId, data }: DomainEvent<'user.suspended'>): Promise<void> {
    const guestTenants = await this.sessions.guestTenantsOf(ctx, { tenantId, id: data.id });
    await this.checkUser(ctx, [tenantId, ...guestTenants], data.id, 'user_suspended');
  }

  @OnDomainEvent('organization.member_removed', { mode: 'transactional' })
  async checkRemoved(ctx: RequestContext, { tenantId, data }: DomainEvent<'organization.member_removed'>): Promise<void> {
    await this.checkUser(ctx, [tenantId], data.userId, 'member_removed');
  }

  @OnDomainEvent('organization.updated', { mode: 'transactional' })
  async checkUpdated(ctx: RequestContext, { tenantId, data }: DomainEvent<'organization.updated'>): Promise<void> {
    if (data.changes['status']?.to === 'suspended') await this.checkBelow(ctx, tenantId, data.id, 'organization_suspended');
  }

  @OnDomainEvent('organization.deleted', { mode: 'transactional' })
  async checkDeleted(ctx: RequestContext, { tenantId, data }: DomainEvent<'organization.deleted'>): Promise<void> {
    // Each deleted descendant has an event of its own.
    await this.checkOrganizations(ctx, tenantId, [data.id], 'organization_deleted');
  }

  @OnDomainEvent('identity_provider.updated', { mode: 'transactional' })
  async checkDisabled(ctx: RequestContext, { tenantId, data }: DomainEvent<'identity_provider.updated'>): Promise<void> {
    if (data.changes['enabled']?.to === false) await this.checkProvider(ctx, tenantId, data.id, 'identity_provider_disabled');
  }

  @OnDomainEvent('identity_provider.deleted', { mode: 'transactional' })
  async checkWithoutProvider(ctx: RequestContext, { tenantId, data }: DomainEvent<'identity_provider.deleted'>): Promise<void> {
    await this.checkProvider(ctx, tenantId, data.id, 'identity_provider_deleted');
  }

  private async endOfSessions(ctx: RequestContext, user: UserKey, sessionIds: readonly string[], reason: string): Promise<void> {
    const [own, guestTenants] = await pipeline(ctx, [
      () => this.sessions.endOfSessions(ctx, user.tenantId, sessionIds),
      () => this.sessions.guestTenantsOf(ctx, user),
    ]);
    await this.publish(ctx, own, reason);
    for (const tenantId of guestTenants)
      await this.publish(ctx, await this.sessions.endOfSessions(ctx, tenantId, sessionIds), reason);
  }

  private async checkUser(ctx: RequestContext, tenantIds: readonly string[], userId: string, reason: string): Promise<void> {
    const check = { at: this.work.now(), reason };
    for (const tenantId of tenantIds) await this.sessions.checkUser(ctx, tenantId, userId, check);
    this.wake(ctx);
  }

  private async checkProvider(ctx: RequestContext, tenantId: string, id: string, reason: string): Promise<void> {
    const check = { at: this.work.now(), reason };
    for (const each of await this.tenantsOf(ctx, tenantId)) await this.sessions.checkProvider(ctx, each, id, check);
    this.wake(ctx);
  }

  private async checkBelow(ctx: RequestContext, tenantId: string, organizationId: string, reason: string): Promise<void> {
    await this.checkOrganizations(ctx, tenantId, await this.sessions.idsBelow(ctx, tenantId, organizationId), reason);
  }

  private async checkOrganizations(ctx: RequestContext, tenantId: string, ids: readonly string[], reason: string): Promise<void> {
    const check = { at: this.work.now(), reason };
    for (const each of await this.tenantsOf(ctx, tenantId)) await this.sessions.checkOrganization(ctx, each, ids, check);
    this.wake(ctx);
  }

  /** Returns the tenants in which users of a tenant can be signed in at clients. */
  private async tenantsOf(ctx: RequestContext, tenantId: string): Promise<string[]> {
    return [tenantId, ...(await this.sessions.guestTenantsBelow(ctx, tenantId))];
  }

  private wake(ctx: RequestContext): void {
    this.transactions.afterCommit(ctx, () => this.notifications.notify(OAUTH_SESSIONS_CHANNEL));
  }
}
