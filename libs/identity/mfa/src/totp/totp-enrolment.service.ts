import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { UserActivationService } from '#directory/users';
import { EnrolmentNotConfirmed } from '../enrolment/enrolment-errors.js';
import { PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { type AddedFactor, FactorAdditionService } from '../factors/factor-addition.service.js';
import { FactorRulesService } from '../factors/factor-rules.service.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import { totpContext } from '../sealing-contexts.js';
import { matchingStep, newTotpSeed, totpUri } from './totp.js';
import { TotpFactorRepository } from './totp-factor.repository.js';

/** What an authenticator app is set up with; shown once. */
export interface TotpSetUp {
  /** Base32. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
  readonly expiresAt: Date;
}

/** Adds authenticator apps. A new one takes the place of the one before once it is proven to work. */
@Injectable()
export class TotpEnrolmentService {
  constructor(
    private readonly rules: FactorRulesService,
    private readonly reauthentication: ReauthenticationService,
    private readonly pending: PendingEnrolmentsService,
    private readonly addition: FactorAdditionService,
    private readonly totpFactors: TotpFactorRepository,
    private readonly users: UserActivationService,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a seed that counts once a code of it is confirmed.
   * @throws MfaMethodNotAllowed (422), CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429)
   */
  async begin(ctx: RequestContext, currentPassword: string | undefined): Promise<TotpSetUp> {
    const key = ownUserOf(ctx);
    await this.rules.demandAllowed(ctx, 'totp');
    await this.reauthentication.demand(ctx, currentPassword, { freshSignInWillDo: true });
    const owner = await this.users.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    const seed = newTotpSeed();
    const expiresAt = await this.pending.begin(ctx, 'totp', { seed });
    return { secret: seed, uri: totpUri(seed, owner.home.name, owner.user.email), expiresAt };
  }

  /** @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), HashingOverloaded (503) */
  async confirm(ctx: RequestContext, code: string): Promise<AddedFactor> {
    const enrolment = await this.pending.open<{ seed: string }>(ctx, 'totp');
    const { seed } = enrolment.content;
    const now = this.clock.now();
    const step = matchingStep(seed, code, now);
    if (step === null) throw new EnrolmentNotConfirmed();
    return this.addition.add(ctx, enrolment, async (ctx, { user }) => {
      const seedSealed = this.sealer.seal(seed, totpContext(user));
      await this.totpFactors.replace(ctx, {
        tenantId: user.tenantId,
        userId: user.id,
        seedSealed,
        lastStep: step,
        createdAt: now,
      });
    });
  }
}
