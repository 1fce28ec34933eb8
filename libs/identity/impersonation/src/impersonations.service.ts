import { Injectable } from '@nestjs/common';
import {
  newId,
  organizationOf,
  ownUserOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { ImpersonationApproval } from '#directory/organizations';
import { UserAccessService, type UserWithOrganization } from '#directory/users';
import { ImpersonationMailService } from './impersonation-mail.service.js';
import { ImpersonationRulesService } from './impersonation-rules.service.js';
import { Impersonation } from './impersonation.entity.js';
import { type ImpersonationFilter, ImpersonationRepository } from './impersonation.repository.js';
import { impersonationData } from './impersonations.definitions.js';

const HOUR_MS = 3_600_000;
/** The time in which a request must be approved. */
const DECISION_WINDOW_MS = 24 * HOUR_MS;
/** The time in which an approved impersonation must start. */
export const START_WINDOW_MS = HOUR_MS;

/** Requests and reads sign-ins as other users for support. */
@Injectable()
export class ImpersonationsService {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly rules: ImpersonationRulesService,
    private readonly mails: ImpersonationMailService,
    private readonly userAccess: UserAccessService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Requests to sign in as a user. Without a necessary approval, the impersonation can start at once.
   * @throws ResourceNotFound (404), ManagedElsewhere and the errors of `ImpersonationRulesService.authorize` (403, 401, 409),
   * ImpersonationOpen (409)
   */
  async request(ctx: RequestContext, userId: string, reason: string, durationSeconds: number): Promise<Impersonation> {
    const owner = await this.userAccess.findManaged(ctx, userId);
    const authorization = await this.rules.authorize(ctx, owner);
    const impersonation = this.create(ctx, owner, await this.rules.approvalFor(ctx, owner), { reason, durationSeconds });
    await this.work.run(ctx, async (ctx) => {
      await this.impersonations.insert(ctx, impersonation, authorization);
      const data = impersonationData(impersonation);
      await this.work.publish(ctx, 'user.impersonation_requested', owner.managingOrganization, data, { userId });
      if (impersonation.approval !== 'none') await this.mails.askForApproval(ctx, owner, impersonation);
    });
    return impersonation;
  }

  private create(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    approval: ImpersonationApproval,
    request: Pick<Impersonation, 'reason' | 'durationSeconds'>,
  ): Impersonation {
    const { tenantId: impersonatorTenantId, id: impersonatorId } = ownUserOf(ctx);
    const now = this.work.now();
    return Object.assign(new Impersonation(), {
      ...request,
      tenantId: user.tenantId,
      id: newId('impersonation'),
      organizationId: managingOrganization.id,
      userId: user.id,
      impersonatorTenantId,
      impersonatorId,
      impersonatorEmail: ctx.actor.email ?? '',
      approval,
      status: approval === 'none' ? 'approved' : 'pending',
      expiresAt: new Date(now.getTime() + (approval === 'none' ? START_WINDOW_MS : DECISION_WINDOW_MS)),
      decidedAt: null,
      decidedById: null,
      sessionId: null,
      startedAt: null,
      endsAt: null,
      endedAt: null,
      endedReason: null,
      createdAt: now,
    } satisfies Impersonation);
  }

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, page: PageRequest, filter: ImpersonationFilter): Promise<Page<Impersonation>> {
    return this.impersonations.list(ctx, organizationOf(ctx), page, filter);
  }

  /** Returns who acted or asked to act for the signed-in user. @throws InvalidCursor (400) */
  listOwn(ctx: RequestContext, page: PageRequest): Promise<Page<Impersonation>> {
    return this.impersonations.listOf(ctx, ownUserOf(ctx), page);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<Impersonation> {
    const impersonation = await this.impersonations.find(ctx, organizationOf(ctx), id);
    if (!impersonation) throw new ResourceNotFound('impersonation', id);
    return impersonation;
  }
}
