import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  newId,
  organizationOf,
  type OrganizationScope,
  ownUserOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { ImpersonationApproval } from '#directory/organizations';
import { type GainAuthorization, type LossAuthorization, unneeded } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { UserAccessService, UserActivationService, type UserWithOrganization } from '#directory/users';
import { ImpersonationForbidden, ImpersonationNotOpen, SecondPersonRequired } from './impersonation-errors.js';
import { ImpersonationMailService } from './impersonation-mail.service.js';
import { ImpersonationRulesService } from './impersonation-rules.service.js';
import { statusAt } from './impersonation-status.js';
import { Impersonation } from './impersonation.entity.js';
import { type ImpersonationFilter, ImpersonationRepository } from './impersonation.repository.js';
import { impersonationData } from './impersonations.definitions.js';

const HOUR_MS = 3_600_000;
/** The time in which a request must be approved. */
const DECISION_WINDOW_MS = 24 * HOUR_MS;
/** The time in which an approved impersonation must start. */
const START_WINDOW_MS = HOUR_MS;

type Decision = 'approved' | 'denied';

/** An impersonation, locked until the transaction ends, with its user. */
export interface LockedImpersonation {
  readonly impersonation: Impersonation;
  readonly owner: UserWithOrganization;
}

/** Requests, approves, denies and reads sign-ins as other users for support. */
@Injectable()
export class ImpersonationsService {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly rules: ImpersonationRulesService,
    private readonly mails: ImpersonationMailService,
    private readonly userAccess: UserAccessService,
    private readonly userActivation: UserActivationService,
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

  /**
   * Decides as a second person. The approval needs what the impersonation itself needs.
   * @throws ResourceNotFound (404), SecondPersonRequired and the errors of `ImpersonationRulesService` (403, 401, 409),
   * ImpersonationNotOpen (409)
   */
  async decide(ctx: RequestContext, id: string, decision: Decision): Promise<Impersonation> {
    return this.work.run(ctx, async (ctx) => {
      const found = await this.lock(ctx, organizationOf(ctx), id);
      const { impersonation, owner } = found;
      if (ctx.caller.kind !== 'user') throw new ImpersonationForbidden('Only a signed-in user can decide on this request.');
      if (impersonation.approval === 'user')
        throw new ImpersonationForbidden('The user decides on this request, on the page "Acting for you" of the account.');
      if (ctx.caller.id === impersonation.impersonatorId) throw new SecondPersonRequired();
      this.assertPending(impersonation);
      const authorization =
        decision === 'approved' ? await this.rules.authorizePower(ctx, owner) : unneeded<'loss'>('impersonation_ended');
      return this.recordDecision(ctx, found, decision, authorization);
    });
  }

  /**
   * Decides as the user.
   * @throws ResourceNotFound (404), ImpersonationForbidden (403), ReauthenticationRequired (401), ImpersonationNotOpen (409)
   */
  async decideOwn(ctx: RequestContext, id: string, decision: Decision): Promise<Impersonation> {
    return this.work.run(ctx, async (ctx) => {
      const found = await this.lockOwn(ctx, ownUserOf(ctx), id);
      this.assertPending(found.impersonation);
      if (decision === 'denied') return this.recordDecision(ctx, found, decision, unneeded<'loss'>('impersonation_ended'));
      if (found.impersonation.approval !== 'user')
        throw new ImpersonationForbidden('A second person must approve this request. You can deny it.');
      assertRecentlyAuthenticated(ctx, this.work.now());
      return this.recordDecision(ctx, found, decision, unneeded<'gain'>('impersonation_approved'));
    });
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

  /**
   * Locks an impersonation of a user whom an organization manages. An impersonation of a user who has another managing organization since
   * the request is not found.
   * @throws ResourceNotFound (404)
   */
  async lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<LockedImpersonation> {
    const found = await this.findLocked(ctx, { tenantId, id });
    if (found?.impersonation.organizationId !== organizationId || found.owner.managingOrganization.id !== organizationId)
      throw new ResourceNotFound('impersonation', id);
    return found;
  }

  /** Locks an impersonation of the user. @throws ResourceNotFound (404) */
  async lockOwn(ctx: RequestContext, user: UserKey, id: string): Promise<LockedImpersonation> {
    const found = await this.findLocked(ctx, { tenantId: user.tenantId, id });
    if (found?.impersonation.userId !== user.id) throw new ResourceNotFound('impersonation', id);
    return found;
  }

  /** Locks the user before the impersonation, as all changes of users do. Returns null if either does not exist anymore. */
  async findLocked(ctx: RequestContext, key: UserKey): Promise<LockedImpersonation | null> {
    const known = await this.impersonations.findOne(ctx, key);
    const owner = known && (await this.userActivation.lock(ctx, { tenantId: key.tenantId, id: known.userId }));
    const impersonation = owner && (await this.impersonations.lock(ctx, key));
    return impersonation ? { impersonation, owner } : null;
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

  private assertPending(impersonation: Impersonation): void {
    const status = statusAt(impersonation, this.work.now());
    if (status !== 'pending') throw new ImpersonationNotOpen(status, 'pending');
  }

  private async recordDecision(
    ctx: RequestContext,
    { impersonation, owner }: LockedImpersonation,
    decision: Decision,
    authorization: GainAuthorization | LossAuthorization,
  ): Promise<Impersonation> {
    const now = this.work.now();
    const expiresAt = decision === 'approved' ? new Date(now.getTime() + START_WINDOW_MS) : impersonation.expiresAt;
    Object.assign(impersonation, { status: decision, decidedAt: now, decidedById: ctx.caller.id ?? null, expiresAt });
    await this.impersonations.save(ctx, impersonation, authorization);
    const { userId } = impersonation;
    const type = `user.impersonation_${decision}` as const;
    await this.work.publish(ctx, type, owner.managingOrganization, impersonationData(impersonation), { userId });
    return impersonation;
  }
}
