import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, organizationOf, ownUserOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type GainAuthorization, type LossAuthorization, unneeded } from '#directory/privileges';
import { ImpersonationForbidden, ImpersonationNotOpen, SecondPersonRequired } from './impersonation-errors.js';
import { ImpersonationRulesService } from './impersonation-rules.service.js';
import { statusAt } from './impersonation-status.js';
import type { Impersonation } from './impersonation.entity.js';
import { type LockedImpersonation, LockedImpersonationsService } from './locked-impersonations.service.js';
import { ImpersonationRepository } from './impersonation.repository.js';
import { impersonationData } from './impersonations.definitions.js';
import { START_WINDOW_MS } from './impersonations.service.js';

type Decision = 'approved' | 'denied';

/** Approves and denies requests to sign in as a user: by a second person, or by the user. */
@Injectable()
export class ImpersonationDecisionsService {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly locked: LockedImpersonationsService,
    private readonly rules: ImpersonationRulesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Decides as a second person. The approval needs what the impersonation itself needs.
   * @throws ResourceNotFound (404), SecondPersonRequired and the errors of `ImpersonationRulesService` (403, 401, 409),
   * ImpersonationNotOpen (409)
   */
  async decide(ctx: RequestContext, id: string, decision: Decision): Promise<Impersonation> {
    return this.work.run(ctx, async (ctx) => {
      const found = await this.locked.get(ctx, organizationOf(ctx), id);
      const { impersonation, owner } = found;
      if (ctx.caller.kind !== 'user') throw new ImpersonationForbidden('Only a signed-in user can decide on this request.');
      if (impersonation.approval === 'user')
        throw new ImpersonationForbidden('The user decides on this request, on the page "Acting for you" of the account.');
      if (ctx.caller.id === impersonation.impersonatorId) throw new SecondPersonRequired();
      this.assertPending(impersonation);
      const authorization =
        decision === 'approved' ? await this.rules.authorizePower(ctx, owner) : unneeded<'loss'>('impersonation_ended');
      return this.record(ctx, found, decision, authorization);
    });
  }

  /**
   * Decides as the user.
   * @throws ResourceNotFound (404), ImpersonationForbidden (403), ReauthenticationRequired (401), ImpersonationNotOpen (409)
   */
  async decideOwn(ctx: RequestContext, id: string, decision: Decision): Promise<Impersonation> {
    return this.work.run(ctx, async (ctx) => {
      const found = await this.locked.getOwn(ctx, ownUserOf(ctx), id);
      this.assertPending(found.impersonation);
      if (decision === 'denied') return this.record(ctx, found, decision, unneeded<'loss'>('impersonation_ended'));
      if (found.impersonation.approval !== 'user')
        throw new ImpersonationForbidden('A second person must approve this request. You can deny it.');
      assertRecentlyAuthenticated(ctx, this.work.now());
      return this.record(ctx, found, decision, unneeded<'gain'>('impersonation_approved'));
    });
  }

  private assertPending(impersonation: Impersonation): void {
    const status = statusAt(impersonation, this.work.now());
    if (status !== 'pending') throw new ImpersonationNotOpen(status, 'pending');
  }

  private async record(
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
