import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownUserOf, type RequestContext } from '#platform/common';
import { type DomainEvent, OnDomainEvent, UnitOfWork } from '#platform/events';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { ApplicationApproval } from './application-approval.entity.js';
import { ApplicationApprovalRepository } from './application-approval.repository.js';
import { newApproval } from './application-approvals.service.js';
import {
  ApprovalDenied,
  ApprovalRequestLimit,
  HOURS_AFTER_DENIAL,
  REQUESTS_PER_APPROVAL_MAX,
  WAITING_PER_USER_MAX,
} from './approval-errors.js';
import { approvalData } from './approval-event-data.js';
import { ApprovalMailsService } from './approval-mails.service.js';
import { ApprovalRequestQuery } from './approval-request.query.js';

/** Users ask owners for applications. */
@Injectable()
export class ApprovalRequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApplicationApprovalRepository,
    private readonly requests: ApprovalRequestQuery,
    private readonly mails: ApprovalMailsService,
  ) {}

  /** Returns the approval for which the signed-in user waits, or null. */
  async findOwn(
    ctx: RequestContext,
    organization: OrganizationScope,
    client: Pick<KnownClient, 'id'>,
  ): Promise<'pending' | 'denied' | null> {
    return this.requests.findStatus(ctx, organization, client.id, ownUserOf(ctx).id);
  }

  /**
   * Asks the owners of an organization for an application. The first request for it publishes an event and is mailed to the owners; later
   * requests are only added, and the decision answers all.
   * @throws ApprovalDenied, ApprovalRequestLimit (409)
   */
  async ask(ctx: RequestContext, organization: OrganizationScope, client: KnownClient, reason: string): Promise<void> {
    const user = ownUserOf(ctx);
    const email = ctx.actor.email ?? '';
    await this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      const existing = await this.approvals.lockOfClient(ctx, organization, client.id);
      if (existing && isFreshDenial(existing, now)) throw new ApprovalDenied();
      const approval = existing ?? newApproval(organization, client.id, now);
      const { ofUser, ofApproval } = await this.requests.count(ctx, organization, approval.id, user.id);
      if (ofUser >= WAITING_PER_USER_MAX || ofApproval >= REQUESTS_PER_APPROVAL_MAX) throw new ApprovalRequestLimit();
      const isFirst = existing?.status !== 'pending';
      if (isFirst) {
        Object.assign(approval, {
          status: 'pending',
          note: null,
          decidedAt: null,
          decidedByType: null,
          decidedById: null,
          updatedAt: now,
        });
        await this.approvals.savePending(ctx, approval);
        await this.requests.deleteOf(ctx, approval.tenantId, approval.id);
      }
      const { tenantId, id: approvalId } = approval;
      const request = { tenantId, approvalId, userTenantId: user.tenantId, userId: user.id, email, reason, createdAt: now };
      await this.requests.insert(ctx, request);
      if (!isFirst) return;
      const data = { ...approvalData(approval, client.name), requesterId: user.id, reason };
      await this.work.publish(ctx, 'oauth_client.approval_requested', organization, data, { userId: user.id });
      await this.mails.tellOwners(ctx, organization, { applicationName: client.name, requesterEmail: email, reason });
    });
  }

  @OnDomainEvent('user.deleted', { mode: 'transactional' })
  async deleteOfUser(ctx: RequestContext, { data }: DomainEvent<'user.deleted'>): Promise<void> {
    if (data.permanent) await this.requests.deleteOfUser(ctx, data.id);
  }
}

const isFreshDenial = ({ status, decidedAt }: ApplicationApproval, now: Date): boolean =>
  status === 'denied' && decidedAt !== null && now.getTime() - decidedAt.getTime() < HOURS_AFTER_DENIAL * 3_600_000;
