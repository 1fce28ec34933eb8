import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type SignInAuthorization, unneeded } from '#directory/privileges';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { type PendingEnrolment, PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { FactorChangesService } from './factor-changes.service.js';
import { SessionUpgradeService } from './session-upgrade.service.js';

/** The codes and the token that the user receives, only once, after adding a factor. */
export interface AddedFactor {
  /** Present for the user's first factor. */
  readonly recoveryCodes?: readonly string[];
  /** Present if the session has a new token. */
  readonly sessionToken?: string;
}

@Injectable()
export class FactorAdditionService {
  constructor(
    private readonly pendingEnrolments: PendingEnrolmentsService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly factorChanges: FactorChangesService,
    private readonly sessionUpgrade: SessionUpgradeService,
    private readonly userActivation: UserActivationService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Completes an enrolment in a transaction, in which `insert` writes the factor. Ends the user's other sessions and notifies the user.
   * @throws EnrolmentMissing (409), HashingOverloaded (503), and the errors of `insert`
   */
  async add(
    ctx: RequestContext,
    enrolment: PendingEnrolment<unknown>,
    insert: (ctx: RequestContext, owner: UserWithOrganization, signIn: SignInAuthorization) => Promise<void>,
  ): Promise<AddedFactor> {
    const key = ownUserOf(ctx);
    const { method } = enrolment.key;
    const generated = (await this.recoveryCodes.count(ctx, key)) === null ? await this.recoveryCodes.generate() : null;
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      await this.pendingEnrolments.complete(ctx, enrolment);
      const signIn = unneeded<'sign_in'>('own_account');
      await insert(ctx, owner, signIn);
      await this.factorChanges.recordAdded(ctx, owner, method);
      // Checked again under the lock, because a concurrent request may have added the first factor.
      const isFirst = generated !== null && (await this.recoveryCodes.count(ctx, key)) === null;
      if (isFirst) await this.recoveryCodes.replace(ctx, key, generated, signIn);
      const sessionToken = await this.sessionUpgrade.upgrade(ctx, owner, method);
      return { ...(isFirst ? { recoveryCodes: generated.codes } : {}), ...(sessionToken === null ? {} : { sessionToken }) };
    });
  }
}
