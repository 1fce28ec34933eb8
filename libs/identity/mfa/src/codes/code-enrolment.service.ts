import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { constantTimeEqual } from '#platform/crypto';
import { UserActivationService, UserFactorsService } from '#directory/users';
import { EnrolmentNotConfirmed } from '../enrolment/enrolment-errors.js';
import { PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { type AddedFactor, FactorAdditionService } from '../factors/factor-addition.service.js';
import { FactorRulesService } from '../factors/factor-rules.service.js';
import type { CodeMethod } from '../mfa-method.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import { CodeFactorRepository } from './code-factor.repository.js';
import { CodeSenderService } from './code-sender.service.js';
import { maskedDestination, newSecurityCode, typedDigits } from './security-code.js';

interface SentTo {
  readonly destination: string;
  readonly code: string;
}

/** Adds codes by mail and by SMS, once a first code has arrived. */
@Injectable()
export class CodeEnrolmentService {
  constructor(
    private readonly rules: FactorRulesService,
    private readonly reauthentication: ReauthenticationService,
    private readonly pending: PendingEnrolmentsService,
    private readonly addition: FactorAdditionService,
    private readonly codeFactors: CodeFactorRepository,
    private readonly sender: CodeSenderService,
    private readonly users: UserActivationService,
    private readonly userFactors: UserFactorsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends a first code to the user's e-mail address, or to the telephone number given.
   * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422), CodeLimit, ReauthenticationLocked (429), CurrentPasswordRequired,
   *   CurrentPasswordWrong (403)
   */
  async begin(
    ctx: RequestContext,
    to: { readonly method: 'email' } | { readonly method: 'sms'; readonly phoneNumber: string },
    currentPassword: string | undefined,
  ): Promise<{ destination: string; expiresAt: Date }> {
    const key = ownUserOf(ctx);
    await this.rules.demandAllowed(ctx, to.method);
    await this.reauthentication.demand(ctx, currentPassword, { freshSignInWillDo: true });
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.users.find(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      const destination = to.method === 'sms' ? to.phoneNumber : owner.user.email;
      const code = newSecurityCode();
      const expiresAt = await this.pending.begin(ctx, to.method, { destination, code } satisfies SentTo);
      await this.sender.send(ctx, owner, { method: to.method, destination }, { code, expiresAt });
      return { destination: maskedDestination(destination), expiresAt };
    });
  }

  /** @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), HashingOverloaded (503) */
  async confirm(ctx: RequestContext, method: CodeMethod, code: string): Promise<AddedFactor> {
    const enrolment = await this.pending.open<SentTo>(ctx, method);
    const { destination, code: sent } = enrolment.content;
    if (!constantTimeEqual(typedDigits(code), sent)) throw new EnrolmentNotConfirmed();
    return this.addition.add(ctx, enrolment, async (ctx, owner) => {
      const { tenantId, id: userId } = owner.user;
      await this.codeFactors.replace(ctx, { tenantId, userId, method, destination, createdAt: this.work.now() });
      if (method === 'sms') await this.userFactors.verifyPhone(ctx, owner, destination);
    });
  }
}
