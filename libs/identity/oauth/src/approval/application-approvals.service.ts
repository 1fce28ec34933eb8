import { Injectable } from '@nestjs/common';
import {
  newId,
  organizationOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type PolicyAuthorization, PrivilegesService } from '#directory/privileges';
import { ApplicationApproval, type ApprovalStatus } from './application-approval.entity.js';
import { ApplicationApprovalRepository } from './application-approval.repository.js';
import { DECIDES, needsApproval } from './application-rule.js';
import { ApprovalNotNeeded, ApprovalNotOpen } from './approval-errors.js';
import { approvalData } from './approval-event-data.js';
import { ApprovalMailsService } from './approval-mails.service.js';
import { RevokedApprovalService } from './revoked-approval.service.js';
import { type ShownApproval, ShownApprovalsService } from './shown-approvals.service.js';

/** Shows and makes the decisions of owners about applications from outside. A decision applies to the organization and its descendants. */
@Injectable()
export class ApplicationApprovalsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApplicationApprovalRepository,
    private readonly shown: ShownApprovalsService,
    private readonly privileges: PrivilegesService,
    private readonly mails: ApprovalMailsService,
    private readonly revoked: RevokedApprovalService,
  ) {}

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, page: PageRequest, status?: ApprovalStatus): Promise<Page<ShownApproval>> {
    const found = await this.approvals.list(ctx, organizationOf(ctx), page, status);
    return { ...found, items: await this.shown.describe(ctx, found.items) };
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ShownApproval> {
    const approval = await this.approvals.find(ctx, organizationOf(ctx), id);
    if (!approval) throw new ResourceNotFound('application_approval', id);
    return this.shown.get(ctx, approval);
  }

  /**
   * Approves an application before anybody asks. An application that is approved already stays as it is.
   * @throws ResourceNotFound (404), ApprovalNotNeeded (409), OwnPermissionRequired (403), ReauthenticationRequired (401)
   */
  async create(ctx: RequestContext, clientId: string): Promise<ShownApproval> {
    const organization = organizationOf(ctx);
    const policy = this.authorize(ctx);
    const client = await this.shown.findClient(ctx, clientId);
    if (!client) throw new ResourceNotFound('oauth_client', clientId);
    if (!needsApproval(client))
      throw new ApprovalNotNeeded(
        'The operator of the service or the organization created this application, so it needs no approval.',
      );
    const approval = await this.work.run(ctx, async (ctx) => {
      const existing = await this.approvals.lockOfClient(ctx, organization, client.id);
      const approval = existing ?? newApproval(organization, client.id, this.work.now());
      if (existing?.status !== 'approved') await this.decide(ctx, approval, 'approved', null, policy);
      return approval;
    });
    return this.shown.get(ctx, approval);
  }

  /** @throws ResourceNotFound (404), ApprovalNotOpen (409), OwnPermissionRequired (403), ReauthenticationRequired (401) */
  approve(ctx: RequestContext, id: string): Promise<ShownApproval> {
    return this.change(ctx, id, ['pending', 'denied', 'revoked'], (ctx, approval, policy) =>
      this.decide(ctx, approval, 'approved', null, policy),
    );
  }

  /** @throws ResourceNotFound (404), ApprovalNotOpen (409), OwnPermissionRequired (403), ReauthenticationRequired (401) */
  deny(ctx: RequestContext, id: string, note: string | null): Promise<ShownApproval> {
    return this.change(ctx, id, ['pending'], (ctx, approval, policy) => this.decide(ctx, approval, 'denied', note, policy));
  }

  /**
   * Ends all grants of the application in the organization and its descendants.
   * @throws ResourceNotFound (404), ApprovalNotOpen (409), HigherPrivileges, OwnPermissionRequired (403), ReauthenticationRequired (401)
   */
  revoke(ctx: RequestContext, id: string, note: string | null): Promise<ShownApproval> {
    return this.change(ctx, id, ['approved'], async (ctx, approval, policy) => {
      await this.decide(ctx, approval, 'revoked', note, policy);
      await this.revoked.endGrants(ctx, approval);
    });
  }

  private async change(
    ctx: RequestContext,
    id: string,
    needed: readonly ApprovalStatus[],
    apply: (ctx: RequestContext, approval: ApplicationApproval, policy: PolicyAuthorization) => Promise<void>,
  ): Promise<ShownApproval> {
    const approval = await this.work.run(ctx, async (ctx) => {
      const approval = await this.approvals.lock(ctx, organizationOf(ctx), id);
      if (!approval) throw new ResourceNotFound('application_approval', id);
      const policy = this.authorize(ctx);
      if (!needed.includes(approval.status)) throw new ApprovalNotOpen(approval.status, needed.join(' or '));
      await apply(ctx, approval, policy);
      return approval;
    });
    return this.shown.get(ctx, approval);
  }

  /** The decision stays, so the permission must not come from break-glass access, and somebody must be there who decides. */
  private authorize(ctx: RequestContext): PolicyAuthorization {
    const organization = organizationOf(ctx);
    return this.privileges.authorizePolicies(ctx, [
      { organization, setting: 'the approval of an application', permission: DECIDES },
    ]);
  }

  private async decide(
    ctx: RequestContext,
    approval: ApplicationApproval,
    status: 'approved' | 'denied' | 'revoked',
    note: string | null,
    policy: PolicyAuthorization,
  ): Promise<void> {
    const { kind, id: callerId } = ctx.caller;
    const now = this.work.now();
    const wasAsked = approval.status === 'pending';
    Object.assign(approval, { status, note, decidedAt: now, decidedByType: kind, decidedById: callerId ?? null, updatedAt: now });
    await this.approvals.saveDecided(ctx, approval, policy);
    const { client, requests } = await this.shown.get(ctx, approval);
    const organization = organizationOf(ctx);
    const applicationName = client?.name ?? '';
    await this.work.publish(ctx, `oauth_client.approval_${status}`, organization, approvalData(approval, applicationName));
    const isAnswer = wasAsked || status === 'approved';
    if (isAnswer)
      await this.mails.tellUsers(ctx, organization, requests, { applicationName, isApproved: status === 'approved', note });
  }
}

export const newApproval = (
  { tenantId, id: organizationId }: Pick<OrganizationScope, 'tenantId' | 'id'>,
  clientId: string,
  now: Date,
): ApplicationApproval =>
  Object.assign(new ApplicationApproval(), {
    tenantId,
    id: newId('applicationApproval'),
    organizationId,
    clientId,
    status: 'pending',
    decidedAt: null,
    decidedByType: null,
    decidedById: null,
    note: null,
    createdAt: now,
    updatedAt: now,
  } satisfies ApplicationApproval);
