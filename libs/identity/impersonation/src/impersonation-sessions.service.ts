import { Injectable } from '@nestjs/common';
import { type Impersonator, organizationOf, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { type DomainEvent, OnDomainEvent, UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { type Session, SessionService, type UserKey } from '#directory/sessions';
import { ApprovalChanged, ImpersonationForbidden, ImpersonationNotOpen } from './impersonation-errors.js';
import { ImpersonationMailService } from './impersonation-mail.service.js';
import { ImpersonationRulesService } from './impersonation-rules.service.js';
import { statusAt } from './impersonation-status.js';
import type { Impersonation, ImpersonationEnd } from './impersonation.entity.js';
import { ImpersonationRepository } from './impersonation.repository.js';
import { impersonationData } from './impersonations.definitions.js';
import { ImpersonationsService, type LockedImpersonation } from './impersonations.service.js';

/** A session as another user, with its token. */
export interface StartedImpersonation {
  readonly session: Session;
  readonly token: string;
  readonly impersonator: Impersonator;
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'approved', 'active']);

/** Starts and ends the sessions of impersonators. */
@Injectable()
export class ImpersonationSessionsService {
  constructor(
    private readonly impersonationRepository: ImpersonationRepository,
    private readonly impersonations: ImpersonationsService,
    private readonly rules: ImpersonationRulesService,
    private readonly mails: ImpersonationMailService,
    private readonly sessions: SessionService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Signs the caller in as the user, once, for the requested time. The user is notified.
   * @throws ResourceNotFound (404), ImpersonationForbidden and the errors of `ImpersonationRulesService.authorize` (403, 401, 409),
   * ImpersonationNotOpen, ApprovalChanged (409)
   */
  async start(ctx: RequestContext, id: string): Promise<StartedImpersonation> {
    return this.work.run(ctx, async (ctx) => {
      const { impersonation, owner } = await this.impersonations.lock(ctx, organizationOf(ctx), id);
      this.rules.assertPerson(ctx);
      const { tenantId, id: impersonatorId } = ownUserOf(ctx);
      if (impersonation.impersonatorId !== impersonatorId || impersonation.impersonatorTenantId !== tenantId)
        throw new ImpersonationForbidden('Only the user who requested the impersonation can start it.');
      const now = this.work.now();
      const status = statusAt(impersonation, now);
      if (status !== 'approved') throw new ImpersonationNotOpen(status, 'approved');
      const authorization = await this.rules.authorize(ctx, owner);
      const approval = await this.rules.approvalFor(ctx, owner);
      if (approval !== 'none' && approval !== impersonation.approval) throw new ApprovalChanged();
      const { user, managingOrganization } = owner;
      const own = sessionOf(ctx);
      const { session, token } = await this.sessions.create(ctx, {
        user,
        organizationId: managingOrganization.id,
        authenticationMethods: own.authenticationMethods,
        lifetimeSeconds: impersonation.durationSeconds,
        impersonator: { impersonationId: id, tenantId, id: impersonatorId, sessionId: own.id },
      });
      Object.assign(impersonation, { status: 'active', sessionId: session.id, startedAt: now, endsAt: session.expiresAt });
      await this.impersonationRepository.save(ctx, impersonation, authorization);
      const ends = { sessionId: session.id, endsAt: session.expiresAt.toISOString() };
      const data = { ...impersonationData(impersonation), ...ends };
      await this.work.publish(ctx, 'user.impersonation_started', managingOrganization, data, { userId: user.id });
      await this.mails.notifyUser(ctx, owner, impersonation, 'started');
      const { impersonatorEmail: email } = impersonation;
      return { session, token, impersonator: { tenantId, id: impersonatorId, email, impersonationId: id } };
    });
  }

  /**
   * Ends an impersonation or its request: as the impersonator, or as somebody else with the permission.
   * @throws ResourceNotFound (404), ImpersonationNotOpen (409)
   */
  async end(ctx: RequestContext, id: string): Promise<Impersonation> {
    return this.work.run(ctx, async (ctx) => {
      const found = await this.impersonations.lock(ctx, organizationOf(ctx), id);
      const isOwn = ctx.caller.id === found.impersonation.impersonatorId;
      return this.endOpen(ctx, found, isOwn ? 'ended_by_impersonator' : 'ended_by_administrator');
    });
  }

  /** Ends an impersonation of the signed-in user, or its request. @throws ResourceNotFound (404), ImpersonationNotOpen (409) */
  async endOwn(ctx: RequestContext, id: string): Promise<Impersonation> {
    return this.work.run(ctx, async (ctx) =>
      this.endOpen(ctx, await this.impersonations.lockOwn(ctx, ownUserOf(ctx), id), 'ended_by_user'),
    );
  }

  /** The impersonator signs out of the session as the user. */
  @OnDomainEvent('user.logout', { mode: 'transactional' })
  async endAtSignOut(ctx: RequestContext, { data }: DomainEvent<'user.logout'>): Promise<void> {
    const impersonator = ctx.session?.id === data.sessionId ? ctx.session.impersonator : undefined;
    if (!impersonator) return;
    const { tenantId } = ownUserOf(ctx);
    const found = await this.impersonations.findLocked(ctx, { tenantId, id: impersonator.impersonationId });
    if (found?.impersonation.status === 'active') await this.close(ctx, found, 'ended', 'ended_by_impersonator');
  }

  /** Records that an impersonation is over, or that nobody approved or started it in time. */
  async closeOverdue(ctx: RequestContext, key: UserKey): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const found = await this.impersonations.findLocked(ctx, key);
      if (!found) return this.closeWithoutOrganization(ctx, key);
      if (!OPEN.has(found.impersonation.status)) return;
      const status = statusAt(found.impersonation, this.work.now());
      if (status === 'expired') await this.close(ctx, found, 'expired', 'not_started');
      else if (status === 'ended') await this.close(ctx, found, 'ended', 'time_over');
      else if (status === 'active') await this.close(ctx, found, 'ended', 'session_ended');
    });
  }

  /** In a deleted organization nobody can be notified, and events can't be published. */
  private async closeWithoutOrganization(ctx: RequestContext, key: UserKey): Promise<void> {
    const impersonation = await this.impersonationRepository.lock(ctx, key);
    if (!impersonation) return;
    Object.assign(impersonation, { status: 'ended', endedAt: this.work.now(), endedReason: 'session_ended' });
    await this.impersonationRepository.save(ctx, impersonation, unneeded<'loss'>('impersonation_ended'));
  }

  private async endOpen(ctx: RequestContext, found: LockedImpersonation, reason: ImpersonationEnd): Promise<Impersonation> {
    const status = statusAt(found.impersonation, this.work.now());
    if (!OPEN.has(status)) throw new ImpersonationNotOpen(status, 'pending, approved or active');
    await this.close(ctx, found, 'ended', reason);
    return found.impersonation;
  }

  private async close(
    ctx: RequestContext,
    { impersonation, owner }: LockedImpersonation,
    status: 'ended' | 'expired',
    endedReason: ImpersonationEnd,
  ): Promise<void> {
    const { user, managingOrganization } = owner;
    const { sessionId } = impersonation;
    const loss = unneeded<'loss'>('impersonation_ended');
    Object.assign(impersonation, { status, endedAt: this.work.now(), endedReason });
    await this.impersonationRepository.save(ctx, impersonation, loss);
    if (sessionId) await this.sessions.revoke(ctx, user, sessionId, 'impersonation_ended', managingOrganization, loss);
    const data = { ...impersonationData(impersonation), started: sessionId !== null, endedReason };
    await this.work.publish(ctx, 'user.impersonation_ended', managingOrganization, data, { userId: user.id });
    if (sessionId && user.status === 'active') await this.mails.notifyUser(ctx, owner, impersonation, 'ended');
  }
}
