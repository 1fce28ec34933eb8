import { Injectable, type OnModuleInit } from '@nestjs/common';
import { covers, newId, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { Notifications, pipeline, TransactionRunner } from '#platform/database';
import { type DomainEvent, OnDomainEvent, UnitOfWork } from '#platform/events';
import { SessionEndHandlers, type UserKey } from '#directory/sessions';
import { SessionCallersService } from '#identity/session-access';
import { OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { type DueOAuthSession, type EndedOAuthSession, OAuthSessionQuery } from './oauth-session.query.js';
import { usableUntil } from './usable-until.js';

const INTERVAL_MS = 10_000;
const BATCH_SIZE = 200;
const CONCURRENCY = 5;
/** Maximum time until a session is checked again, because a changed setting can end it earlier. */
const CHECK_INTERVAL_MAX_MS = 3_600_000;

/** The PostgreSQL channel that wakes the check of sessions. */
const CHANNEL = 'oauth_sessions';

/**
 * Publishes `oauth_session.ended` for each client at which a session ends, in the transaction of the change that ends it. A change that can
 * end many sessions, such as the suspension of an organization, makes them due in its transaction. A loop ends those that can't be used any
 * more, also because they expired. Rows stay due until they are checked, so that a killed process loses none.
 */
@Injectable()
export class OAuthSessionsService extends WorkerLoop implements OnModuleInit {
  constructor(
    private readonly sessions: OAuthSessionQuery,
    private readonly handlers: SessionEndHandlers,
    private readonly callers: SessionCallersService,
    private readonly grants: OAuthGrantQuery,
    private readonly work: UnitOfWork,
    private readonly transactions: TransactionRunner,
    private readonly notifications: Notifications,
    config: AppConfig,
  ) {
    super(config, OAuthSessionsService.name, INTERVAL_MS);
    notifications.on(CHANNEL, () => this.wake());
  }

  onModuleInit(): void {
    this.handlers.register((ctx, user, sessionIds, reason) => this.endOfSessions(ctx, user, sessionIds, reason));
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const due = await this.sessions.findDue(ctx, this.work.now(), BATCH_SIZE);
    const waiting = [...due];
    const checkNext = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.check(ctx, next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, checkNext));
    return due.length === BATCH_SIZE;
  }

  @OnDomainEvent('oauth_grant.revoked', { mode: 'transactional' })
  async endOfGrant(ctx: RequestContext, { tenantId, data }: DomainEvent<'oauth_grant.revoked'>): Promise<void> {
    await this.publishEnds(ctx, await this.sessions.endOfGrant(ctx, tenantId, data.id), data.reason);
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

  private async check(ctx: RequestContext, session: DueOAuthSession): Promise<void> {
    const now = this.work.now();
    const until = await this.findUsableUntil(ctx, session);
    if (until && until > now) {
      const latest = now.getTime() + CHECK_INTERVAL_MAX_MS;
      await this.sessions.postpone(ctx, session, now, new Date(Math.min(until.getTime(), latest)));
      return;
    }
    await this.work.run(ctx, async (ctx) => {
      await this.publishEnds(ctx, await this.sessions.endOne(ctx, session), session.reason ?? 'session_expired');
    });
  }

  /**
   * Returns until when a session can be used at a client without further activity, or undefined if it can't be used, by the rules that
   * decide about tokens without offline access. Records no activity.
   */
  private async findUsableUntil(
    ctx: RequestContext,
    { tenantId, sessionId, grantId, userTenantId, userId }: DueOAuthSession,
  ): Promise<Date | undefined> {
    const [grant, active] = await Promise.all([
      this.grants.findLive(ctx, tenantId, grantId),
      this.callers.peek({ tenantId: userTenantId, id: userId }, sessionId),
    ]);
    if (!grant?.isActive || !active || active.user.suspended) return undefined;
    const hasAccess = active.user.grants.some(({ organizationId }) => covers(organizationId, grant.organization));
    return hasAccess ? usableUntil(active) : undefined;
  }

  /** Publishes the ends of deleted rows, those of an organization together. */
  private async publishEnds(ctx: RequestContext, ended: readonly EndedOAuthSession[], reason: string): Promise<void> {
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

  private async endOfSessions(ctx: RequestContext, user: UserKey, sessionIds: readonly string[], reason: string): Promise<void> {
    const [own, guestTenants] = await pipeline(ctx, [
      () => this.sessions.endOfSessions(ctx, user.tenantId, sessionIds),
      () => this.sessions.guestTenantsOf(ctx, user),
    ]);
    await this.publishEnds(ctx, own, reason);
    for (const tenantId of guestTenants)
      await this.publishEnds(ctx, await this.sessions.endOfSessions(ctx, tenantId, sessionIds), reason);
  }

  private async checkUser(ctx: RequestContext, tenantIds: readonly string[], userId: string, reason: string): Promise<void> {
    const check = { at: this.work.now(), reason };
    for (const tenantId of tenantIds) await this.sessions.checkUser(ctx, tenantId, userId, check);
    this.wakeAfterCommit(ctx);
  }

  private async checkProvider(ctx: RequestContext, tenantId: string, id: string, reason: string): Promise<void> {
    const check = { at: this.work.now(), reason };
    for (const each of await this.tenantsOf(ctx, tenantId)) await this.sessions.checkProvider(ctx, each, id, check);
    this.wakeAfterCommit(ctx);
  }

  private async checkBelow(ctx: RequestContext, tenantId: string, organizationId: string, reason: string): Promise<void> {
    await this.checkOrganizations(ctx, tenantId, await this.sessions.idsBelow(ctx, tenantId, organizationId), reason);
  }

  private async checkOrganizations(ctx: RequestContext, tenantId: string, ids: readonly string[], reason: string): Promise<void> {
    const check = { at: this.work.now(), reason };
    for (const each of await this.tenantsOf(ctx, tenantId)) await this.sessions.checkOrganization(ctx, each, ids, check);
    this.wakeAfterCommit(ctx);
  }

  /** Returns the tenants in which users of a tenant can be signed in at clients. */
  private async tenantsOf(ctx: RequestContext, tenantId: string): Promise<string[]> {
    return [tenantId, ...(await this.sessions.guestTenantsBelow(ctx, tenantId))];
  }

  private wakeAfterCommit(ctx: RequestContext): void {
    this.transactions.afterCommit(ctx, () => this.notifications.notify(CHANNEL));
  }
}
