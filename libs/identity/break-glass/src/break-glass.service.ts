import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  hasPermission,
  newId,
  organizationOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { breakGlassMail, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsService, OrganizationScopeQuery, OwnerAddresses } from '#directory/organizations';
import { type GainAuthorization, type LossAuthorization, unneeded } from '#directory/privileges';
import { BreakGlassNotOpen, PersonRequired, SecondPersonRequired } from './break-glass-errors.js';
import { BreakGlassQuery } from './break-glass.query.js';
import { BreakGlassRequest, type BreakGlassStatus } from './break-glass-request.entity.js';
import { BreakGlassRepository } from './break-glass.repository.js';

const DECISION_WINDOW_MS = 24 * 3_600_000;
const OWNER = { id: 'role_owner', name: 'owner' };

/**
 * Manages temporary owner access. One user requests access, another user approves the request, and access ends automatically. Each step
 * publishes an event.
 */
@Injectable()
export class BreakGlassService {
  constructor(
    private readonly breakGlassRepository: BreakGlassRepository,
    private readonly breakGlassQuery: BreakGlassQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly owners: OwnerAddresses,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Requests temporary owner access to the organization in the context.
   * @throws PersonRequired (403) for API keys, BreakGlassOpen (409)
   */
  async request(ctx: RequestContext, reason: string, durationSeconds: number): Promise<BreakGlassRequest> {
    const { kind, id: requesterId, tenantId: requesterTenantId } = ctx.caller;
    if (kind !== 'user' || !requesterId || !requesterTenantId) {
      throw new PersonRequired(
        'Only a signed-in user can request break-glass access. Use a session token instead of an API key.',
      );
    }
    const organization = organizationOf(ctx);
    const now = this.work.now();
    const request = Object.assign(new BreakGlassRequest(), {
      tenantId: organization.tenantId,
      id: newId('breakGlassRequest'),
      organizationId: organization.id,
      requesterTenantId,
      requesterId,
      requesterEmail: ctx.actor.email ?? '',
      reason,
      durationSeconds,
      status: 'pending',
      expiresAt: new Date(now.getTime() + DECISION_WINDOW_MS),
      decidedAt: null,
      decidedByType: null,
      decidedById: null,
      decisionNote: null,
      endsAt: null,
      endedAt: null,
      endedReason: null,
      createdAt: now,
    } satisfies BreakGlassRequest);
    await this.work.run(ctx, async (ctx) => {
      await this.breakGlassRepository.insert(ctx, request);
      const data = { requestId: request.id, requesterId, reason, role: OWNER.name, durationSeconds };
      await this.work.publish(ctx, 'security.break_glass_requested', organization, data, { userId: requesterId });
      await this.notifyOwners(ctx, organization, request);
    });
    return request;
  }

  list(ctx: RequestContext, page: PageRequest, status?: BreakGlassStatus): Promise<Page<BreakGlassRequest>> {
    return this.breakGlassRepository.list(ctx, organizationOf(ctx), page, status);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<BreakGlassRequest> {
    const request = await this.breakGlassRepository.find(ctx, organizationOf(ctx), id);
    if (!request) throw new ResourceNotFound('break_glass_request', id);
    return request;
  }

  /**
   * Makes the requester an owner for `durationSeconds` from now.
   * @throws ResourceNotFound (404), SecondPersonRequired and PersonRequired (403), BreakGlassNotOpen (409)
   */
  async approve(ctx: RequestContext, id: string): Promise<BreakGlassRequest> {
    return this.decide(ctx, id, async (ctx, organization, request, now) => {
      assertRecentlyAuthenticated(ctx, now);
      request.status = 'approved';
      request.endsAt = new Date(now.getTime() + request.durationSeconds * 1_000);
      await this.publishRole(ctx, 'role.assigned', organization, request);
      await this.notifyOwners(ctx, organization, request);
      return unneeded<'gain'>('second_person');
    });
  }

  /** @throws ResourceNotFound (404), SecondPersonRequired and PersonRequired (403), BreakGlassNotOpen (409) */
  async deny(ctx: RequestContext, id: string, note: string | null): Promise<BreakGlassRequest> {
    return this.decide(ctx, id, async (ctx, organization, request) => {
      request.status = 'denied';
      request.decisionNote = note;
      const data = {
        rule: 'break_glass_denied',
        riskLevel: 'medium' as const,
        signals: { requestId: request.id, userId: request.requesterId, reason: request.reason },
        action: 'denied',
      };
      await this.work.publish(ctx, 'security.suspicious_activity', organization, data, { userId: request.requesterId });
      return unneeded<'loss'>('break_glass_ended');
    });
  }

  /**
   * Ends the access early, or ends a pending request.
   * @throws ResourceNotFound (404), SecondPersonRequired (403) unless the caller is the requester or can approve the request,
   * BreakGlassNotOpen (409)
   */
  async end(ctx: RequestContext, id: string): Promise<BreakGlassRequest> {
    return this.work.run(ctx, async (ctx) => {
      const request = await this.lock(ctx, id);
      const isOwn = ctx.caller.id === request.requesterId;
      if (!isOwn && !hasPermission(ctx.caller.permissions, 'break_glass:approve')) {
        throw new SecondPersonRequired(
          'Ending the break-glass request of another user requires the permission "break_glass:approve".',
        );
      }
      const isOpen = request.status === 'pending' || request.status === 'approved';
      if (!isOpen) throw new BreakGlassNotOpen(request.status, 'pending or approved');
      await this.close(ctx, organizationOf(ctx), request, 'ended', isOwn ? 'returned' : 'withdrawn');
      return request;
    });
  }

  /** Updates the status of at most `limit` requests that have expired or whose access has ended. Returns the number of updated requests. */
  async closeOverdue(ctx: RequestContext, limit: number): Promise<number> {
    const overdue = await this.breakGlassQuery.listOverdue(ctx, limit);
    for (const key of overdue) {
      await this.work.run(ctx, async (ctx) => {
        const request = await this.breakGlassRepository.lock(ctx, key);
        const organization = request && (await this.organizationScopes.findScope(ctx, request.organizationId));
        if (!request) return;
        if (request.status === 'pending') await this.close(ctx, organization, request, 'expired', 'not_decided');
        else if (request.status === 'approved') await this.close(ctx, organization, request, 'ended', 'time_over');
      });
    }
    return overdue.length;
  }

  private async decide(
    ctx: RequestContext,
    id: string,
    apply: (
      ctx: RequestContext,
      organization: OrganizationScope,
      request: BreakGlassRequest,
      now: Date,
    ) => Promise<GainAuthorization | LossAuthorization>,
  ): Promise<BreakGlassRequest> {
    const organization = organizationOf(ctx);
    const { kind, id: deciderId } = ctx.caller;
    if (kind !== 'user' && kind !== 'platform') {
      throw new PersonRequired('Only a signed-in user or a platform key can approve or deny a break-glass request.');
    }
    return this.work.run(ctx, async (ctx) => {
      const request = await this.lock(ctx, id);
      if (kind === 'user') await this.assertSecondPerson(ctx, organization, request, deciderId ?? '');
      const now = this.work.now();
      const status = request.status === 'pending' && request.expiresAt <= now ? 'expired' : request.status;
      if (status !== 'pending') throw new BreakGlassNotOpen(status, 'pending');
      Object.assign(request, { decidedAt: now, decidedByType: kind, decidedById: deciderId ?? null });
      await this.breakGlassRepository.save(ctx, request, await apply(ctx, organization, request, now));
      return request;
    });
  }

  private async assertSecondPerson(
    ctx: RequestContext,
    organization: OrganizationScope,
    request: BreakGlassRequest,
    deciderId: string,
  ): Promise<void> {
    if (deciderId === request.requesterId) {
      throw new SecondPersonRequired(
        'You can\'t approve or deny your own break-glass request. Another user with the permission "break_glass:approve" must do this.',
      );
    }
    if (await this.breakGlassQuery.isOwnerByBreakGlass(ctx, organization, deciderId)) {
      throw new SecondPersonRequired(
        "You are an owner of this organization only through break-glass access, so you can't approve or deny this request. Another user must do this.",
      );
    }
  }

  private async lock(ctx: RequestContext, id: string): Promise<BreakGlassRequest> {
    const organization = organizationOf(ctx);
    const request = await this.breakGlassRepository.lock(ctx, { tenantId: organization.tenantId, id });
    if (request?.organizationId !== organization.id) throw new ResourceNotFound('break_glass_request', id);
    return request;
  }

  private async close(
    ctx: RequestContext,
    organization: OrganizationScope | null,
    request: BreakGlassRequest,
    status: 'ended' | 'expired',
    reason: string,
  ): Promise<void> {
    const wasGranted = request.status === 'approved';
    Object.assign(request, { status, endedAt: this.work.now(), endedReason: reason });
    await this.breakGlassRepository.save(ctx, request, unneeded<'loss'>('break_glass_ended'));
    if (!organization) return;
    if (wasGranted) await this.publishRole(ctx, 'role.revoked', organization, request);
    const { id: requestId, requesterId } = request;
    const data = { requestId, requesterId, role: OWNER.name, granted: wasGranted, reason };
    await this.work.publish(ctx, 'security.break_glass_ended', organization, data, { userId: requesterId });
  }

  private async publishRole(
    ctx: RequestContext,
    type: 'role.assigned' | 'role.revoked',
    organization: OrganizationScope,
    request: BreakGlassRequest,
  ): Promise<void> {
    const user = { id: request.requesterId, email: request.requesterEmail };
    const data = { organization: { id: organization.id, name: organization.name }, user, role: OWNER };
    await this.work.publish(ctx, type, organization, data, { userId: user.id });
  }

  /** Notifies every owner, in the owner's language: of the approval if the request is approved, else of the request. */
  private async notifyOwners(ctx: RequestContext, organization: OrganizationScope, request: BreakGlassRequest): Promise<void> {
    const { requesterEmail, reason, durationSeconds, endsAt } = request;
    const defaults = await this.mailDefaults.get(ctx, organization);
    const data = { organizationName: organization.name, requesterEmail, reason, durationSeconds, endsAt };
    const template = endsAt ? 'break_glass_approved' : 'break_glass_requested';
    const envelope = { tenantId: organization.tenantId, organizationId: organization.id, template };
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = breakGlassMail({ ...data, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { ...envelope, to, content });
    }
  }
}
