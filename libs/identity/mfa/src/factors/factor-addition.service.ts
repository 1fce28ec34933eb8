import { Injectable } from '@nestjs/common';
import { holdsSecondFactor, ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { SessionService } from '#directory/sessions';
import { UserActivationService, type UserAtHome, UserFactorsService } from '#directory/users';
import { type OpenEnrolment, PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import type { FactorMethod } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { EnrolledFactorsService, methodsOf } from './enrolled-factors.service.js';
import { FactorNoticesService } from './factor-notices.service.js';
import { FactorRulesService } from './factor-rules.service.js';

/** What the person has to keep after adding a factor. */
export interface AddedFactor {
  /** Only with the first factor; shown this once. */
  readonly recoveryCodes?: readonly string[];
  /** Only when the session's token was replaced; shown this once. */
  readonly sessionToken?: string;
}

/** Adds proven factors, with all that follows from it. */
@Injectable()
export class FactorAdditionService {
  constructor(
    private readonly pending: PendingEnrolmentsService,
    private readonly rules: FactorRulesService,
    private readonly factors: EnrolledFactorsService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly users: UserActivationService,
    private readonly userFactors: UserFactorsService,
    private readonly sessions: SessionService,
    private readonly notices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ends an enrolment: `store` writes the factor, in the transaction that notes it on the user, ends the user's other sessions, makes this
   * one a full one with a new token if it was made without a second factor, and tells of it.
   * @throws EnrolmentMissing (409), HashingOverloaded (503), and whatever `store` throws
   */
  async add(
    ctx: RequestContext,
    enrolment: OpenEnrolment<unknown>,
    store: (ctx: RequestContext, owner: UserAtHome) => Promise<void>,
  ): Promise<AddedFactor> {
    const key = ownUserOf(ctx);
    const { method } = enrolment.key;
    const prepared = (await this.recoveryCodes.countLeft(ctx, key)) === null ? await this.recoveryCodes.prepare() : null;
    const { mfaMethods: allowed } = await this.rules.ofSession(ctx);
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.users.lock(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      await this.pending.finish(ctx, enrolment);
      await store(ctx, owner);
      const mfaMethods = methodsOf(await this.factors.of(ctx, key));
      await this.userFactors.record(ctx, owner.user, mfaMethods);
      // Looked at again: another factor may have been the first meanwhile.
      const isFirst = prepared !== null && (await this.recoveryCodes.countLeft(ctx, key)) === null;
      if (isFirst) await this.recoveryCodes.store(ctx, key, prepared);
      const token = await this.strengthen(ctx, owner, method, allowed);
      const data = { userId: key.id, method, mfaMethods: owner.user.mfaMethods };
      await this.work.publish(ctx, 'user.mfa_enabled', owner.home, data, { userId: key.id });
      await this.sessions.revokeAll(ctx, key, 'mfa_changed', owner.home, { exceptId: sessionOf(ctx).id });
      await this.notices.write(ctx, owner, { kind: 'factor_added', method });
      return { ...(isFirst ? { recoveryCodes: prepared.codes } : {}), ...(token === null ? {} : { sessionToken: token }) };
    });
  }

  private async strengthen(
    ctx: RequestContext,
    { user }: UserAtHome,
    method: FactorMethod,
    allowed: readonly string[],
  ): Promise<string | null> {
    const { id, authenticationMethods, enrolmentOnly } = sessionOf(ctx);
    if (!enrolmentOnly && holdsSecondFactor(authenticationMethods, allowed)) return null;
    return this.sessions.strengthen(ctx, user, id, method);
  }
}
