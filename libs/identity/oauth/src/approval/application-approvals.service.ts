import { Injectable } from '@nestjs/common';
import {
  InvalidRequest,
  newId,
  organizationOf,
  type OrganizationScope,
  ownUserOf,
  type Page,
  type PageRequest,
  PLATFORM_TENANT,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { type DomainEvent, OnDomainEvent, UnitOfWork } from '#platform/events';
import { type PolicyAuthorization, PrivilegesService } from '#directory/privileges';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { OAuthGrantsService } from '../grants/oauth-grants.service.js';
import { MetadataDocumentUnusable } from '../registration/metadata-document.js';
import { SelfDescribedClientsService } from '../registration/self-described-clients.service.js';
import { ApplicationApproval, type ApprovalStatus } from './application-approval.entity.js';
import { ApplicationApprovalRepository } from './application-approval.repository.js';
import { DECIDES, needsApproval } from './application-rule.js';
import {
  ApprovalDenied,
  ApprovalNotNeeded,
  ApprovalNotOpen,
  ApprovalRequestLimit,
  HOURS_AFTER_DENIAL,
  REQUESTS_PER_APPROVAL_MAX,
  WAITING_PER_USER_MAX,
} from './approval-errors.js';
import { approvalData } from './approval-event-data.js';
import { ApprovalMailsService } from './approval-mails.service.js';
import { ApprovalRequestQuery, type AskingUser } from './approval-request.query.js';

/** An approval with what people need to decide about it. */
export interface ShownApproval {
  readonly approval: ApplicationApproval;
  /** Undefined if the client was deleted. */
  readonly client: KnownClient | undefined;
  readonly requests: readonly AskingUser[];
}

/**
 * Users ask owners for applications from outside, and owners decide about them. A decision applies to the organization and its descendants.
 */
@Injectable()
export class ApplicationApprovalsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApplicationApprovalRepository,
    private readonly requests: ApprovalRequestQuery,
    private readonly privileges: PrivilegesService,
    private readonly mails: ApprovalMailsService,
    private readonly clientQuery: OAuthClientQuery,
    private readonly selfDescribed: SelfDescribedClientsService,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly grants: OAuthGrantsService,
  ) {}

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, page: PageRequest, status?: ApprovalStatus): Promise<Page<ShownApproval>> {
    const found = await this.approvals.list(ctx, organizationOf(ctx), page, status);
    return { ...found, items: await this.describe(ctx, found.items) };
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ShownApproval> {
    const approval = await this.approvals.find(ctx, organizationOf(ctx), id);
    if (!approval) throw new ResourceNotFound('application_approval', id);
    return this.show(ctx, approval);
  }

  /**
   * Approves an application before anybody asks. An application that is approved already stays as it is.
   * @throws ResourceNotFound (404), ApprovalNotNeeded (409), OwnPermissionRequired (403), ReauthenticationRequired (401)
   */
  async create(ctx: RequestContext, clientId: string): Promise<ShownApproval> {
    const organization = organizationOf(ctx);
    const policy = this.authorize(ctx);
    const client = await this.findClient(ctx, clientId);
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
    return this.show(ctx, approval);
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
      await this.endGrants(ctx, approval);
    });
  }

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
    return this.show(ctx, approval);
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
    const { client, requests } = await this.show(ctx, approval);
    const organization = organizationOf(ctx);
    const applicationName = client?.name ?? '';
    await this.work.publish(ctx, `oauth_client.approval_${status}`, organization, approvalData(approval, applicationName));
    const isAnswer = wasAsked || status === 'approved';
    if (isAnswer)
      await this.mails.tellUsers(ctx, organization, requests, { applicationName, isApproved: status === 'approved', note });
  }

  /** Ends the grants in the organization and its descendants, in the transaction of the caller. @throws HigherPrivileges (403) */
  private async endGrants(ctx: RequestContext, { clientId }: ApplicationApproval): Promise<void> {
    const found = await this.grantQuery.lockOfClientBelow(ctx, organizationOf(ctx), clientId);
    const [first] = found;
    if (!first) return;
    const clientName = await this.grants.clientNameOf(ctx, first.grant);
    for (const organizationId of new Set(found.map(({ organization }) => organization.id))) {
      const inOrganization = found.filter(({ organization }) => organization.id === organizationId);
      const users = inOrganization.map(({ grant }) => ({ tenantId: grant.userTenantId, id: grant.userId }));
      const loss = await this.privileges.authorizeLossAt(ctx, users, { id: organizationId });
      for (const { grant, organization } of inOrganization)
        await this.grants.revoke(ctx, grant, organization, clientName, 'approval_revoked', loss);
    }
  }

  /**
   * Returns a client by its id or `client_id`, unless it belongs to another organization. Stores a client that describes itself.
   * @throws InvalidRequest (400) if its document can't be used
   */
  private async findClient({ organization, ...ctx }: RequestContext, clientId: string): Promise<KnownClient | undefined> {
    const client = await this.selfDescribed.find(ctx, clientId, 'request').catch((error: unknown) => {
      if (!(error instanceof MetadataDocumentUnusable)) throw error;
      throw new InvalidRequest([
        { pointer: '/clientId', in: 'body', code: 'invalid_choice', message: `clientId: ${error.message}.` },
      ]);
    });
    const home = client?.organization;
    if (!client || (home && home.id !== organization?.id)) return undefined;
    await this.selfDescribed.store(ctx, client);
    return client;
  }

  private async show(ctx: RequestContext, approval: ApplicationApproval): Promise<ShownApproval> {
    const [shown] = await this.describe(ctx, [approval]);
    return shown ?? { approval, client: undefined, requests: [] };
  }

  /** Returns approvals of one tenant with their clients and requests, in the same order. */
  private async describe(ctx: RequestContext, approvals: readonly ApplicationApproval[]): Promise<ShownApproval[]> {
    const tenantId = approvals[0]?.tenantId;
    if (tenantId === undefined) return [];
    const ids = approvals.map(({ id }) => id);
    const keys = approvals.map(({ clientId }) => ({ tenantId: PLATFORM_TENANT, id: clientId }));
    const [requests, clients] = await Promise.all([
      this.requests.listOf(ctx, tenantId, ids),
      this.clientQuery.mapByIds(ctx, keys, this.work.now()),
    ]);
    return approvals.map((approval) => ({
      approval,
      client: clients.get(approval.clientId),
      requests: requests.filter(({ approvalId }) => approvalId === approval.id),
    }));
  }
}

const newApproval = (
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

const isFreshDenial = ({ status, decidedAt }: ApplicationApproval, now: Date): boolean =>
  status === 'denied' && decidedAt !== null && now.getTime() - decidedAt.getTime() < HOURS_AFTER_DENIAL * 3_600_000;
