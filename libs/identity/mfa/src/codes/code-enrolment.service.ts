import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { constantTimeEqual } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { EnrolmentAuthorizationService } from '../enrolment/enrolment-authorization.service.js';
import { EnrolmentNotConfirmed } from '../enrolment/enrolment-errors.js';
import { PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { type AddedFactor, FactorAdditionService } from '../factors/factor-addition.service.js';
import type { CodeMethod } from '../mfa-method.js';
import { CodeFactorsService } from './code-factors.service.js';
import { digitsOf, maskedDestination, newSecurityCode } from './security-code.js';

interface SentCode {
  readonly destination: string;
  readonly code: string;
}

/** Adds email codes and SMS codes, after the user has confirmed a first code. */
@Injectable()
export class CodeEnrolmentService {
  constructor(
    private readonly enrolmentAuthorization: EnrolmentAuthorizationService,
    private readonly pendingEnrolments: PendingEnrolmentsService,
    private readonly factorAddition: FactorAdditionService,
    private readonly codeFactors: CodeFactorsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends a first code to the user's email address or to the given phone number.
   * @throws CodeLimit (429), and the errors of `EnrolmentAuthorizationService.authorize`
   */
  async start(
    ctx: RequestContext,
    target: { readonly method: 'email' } | { readonly method: 'sms'; readonly phoneNumber: string },
    currentPassword: string | undefined,
  ): Promise<{ destination: string; expiresAt: Date }> {
    const owner = await this.enrolmentAuthorization.authorize(ctx, target.method, currentPassword);
    return this.work.run(ctx, async (ctx) => {
      const destination = target.method === 'sms' ? target.phoneNumber : owner.user.email;
      const code = newSecurityCode();
      const expiresAt = await this.pendingEnrolments.start(ctx, target.method, { destination, code } satisfies SentCode);
      await this.codeFactors.sendCode(ctx, owner, { method: target.method, destination }, { code, expiresAt });
      return { destination: maskedDestination(destination), expiresAt };
    });
  }

  /** @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), HashingOverloaded (503) */
  async confirm(ctx: RequestContext, method: CodeMethod, code: string): Promise<AddedFactor> {
    const enrolment = await this.pendingEnrolments.startAttempt<SentCode>(ctx, method);
    const { destination, code: sent } = enrolment.content;
    if (!constantTimeEqual(digitsOf(code), sent)) throw new EnrolmentNotConfirmed();
    return this.factorAddition.add(ctx, enrolment, (ctx, owner, signIn) =>
      this.codeFactors.add(ctx, owner, method, destination, signIn),
    );
  }
}
