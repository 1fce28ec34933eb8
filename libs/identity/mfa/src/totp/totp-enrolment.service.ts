import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { EnrolmentAuthorizationService } from '../enrolment/enrolment-authorization.service.js';
import { EnrolmentNotConfirmed } from '../enrolment/enrolment-errors.js';
import { PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { type AddedFactor, FactorAdditionService } from '../factors/factor-addition.service.js';
import { totpContext } from '../sealing-contexts.js';
import { matchingStep, newTotpSeed, totpUri } from './totp.js';
import { TotpFactorRepository } from './totp-factor.repository.js';

/** The secret for an authenticator app, which is returned only once. */
export interface TotpSetUp {
  /** The secret in base32. */
  readonly secret: string;
  readonly uri: string;
  readonly expiresAt: Date;
}

/** Adds authenticator apps. A new app replaces the previous app after a confirmation with a code. */
@Injectable()
export class TotpEnrolmentService {
  constructor(
    private readonly enrolmentAuthorization: EnrolmentAuthorizationService,
    private readonly pendingEnrolments: PendingEnrolmentsService,
    private readonly factorAddition: FactorAdditionService,
    private readonly totpFactors: TotpFactorRepository,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Creates a secret. A code must confirm the secret. @throws the errors of `EnrolmentAuthorizationService.authorize` */
  async start(ctx: RequestContext, currentPassword: string | undefined): Promise<TotpSetUp> {
    const { user, managingOrganization } = await this.enrolmentAuthorization.authorize(ctx, 'totp', currentPassword);
    const seed = newTotpSeed();
    const expiresAt = await this.pendingEnrolments.start(ctx, 'totp', { seed });
    return { secret: seed, uri: totpUri(seed, managingOrganization.name, user.email), expiresAt };
  }

  /** @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), HashingOverloaded (503) */
  async confirm(ctx: RequestContext, code: string): Promise<AddedFactor> {
    const enrolment = await this.pendingEnrolments.startAttempt<{ seed: string }>(ctx, 'totp');
    const { seed } = enrolment.content;
    const createdAt = this.clock.now();
    const lastStep = matchingStep(seed, code, createdAt);
    if (lastStep === null) throw new EnrolmentNotConfirmed();
    return this.factorAddition.add(ctx, enrolment, async (ctx, { user: { tenantId, id: userId } }, signIn) => {
      const seedSealed = this.sealer.seal(seed, totpContext(userId));
      await this.totpFactors.replace(ctx, { tenantId, userId, seedSealed, lastStep, createdAt }, signIn);
    });
  }
}
