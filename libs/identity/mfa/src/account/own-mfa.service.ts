import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { SessionService } from '#directory/sessions';
import { SsoRequirementService, UserActivationService } from '#directory/users';
import { maskedDestination } from '../codes/security-code.js';
import { MfaNotEnabled } from '../enrolment/enrolment-errors.js';
import { EnrolledFactorsService, type FactorReference, type Factors, methodsOf } from '../factors/enrolled-factors.service.js';
import { FactorChangesService } from '../factors/factor-changes.service.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { addableMethods, assertSufficient, sessionRules } from '../factors/factor-rules.js';
import { type FactorMethod, isRestricted } from '../mfa-method.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import type { FactorResponse, OwnMfaResponse } from './mfa.responses.js';

/** Shows and removes the factors of the signed-in user, and renews the recovery codes. */
@Injectable()
export class OwnMfaService {
  constructor(
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly factorChanges: FactorChangesService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly reauthentication: ReauthenticationService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly userActivation: UserActivationService,
    private readonly sessions: SessionService,
    private readonly factorNotices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  async get(ctx: RequestContext): Promise<OwnMfaResponse> {
    const user = ownUserOf(ctx);
    const factors = await this.enrolledFactors.get(ctx, user);
    const { requireMfa, mfaMethods } = sessionRules(ctx);
    const enrolled = methodsOf(factors);
    const ssoRequired = await this.ssoRequirement.isRequired(ctx, user);
    const addable = addableMethods(mfaMethods, enrolled).filter((method) => !(ssoRequired && method === 'passkey'));
    return {
      enabled: enrolled.length > 0,
      required: requireMfa,
      factors: factorResponses(factors, mfaMethods),
      available: addable.map((method) => ({ method, restricted: isRestricted(method) })),
      recoveryCodesLeft: (await this.recoveryCodes.count(ctx, user)) ?? 0,
    };
  }

  /**
   * Removes a factor and ends the user's other sessions.
   * @throws ReauthenticationRequired (401), CurrentPasswordWrong (403), ReauthenticationLocked (429), HashingOverloaded (503),
   * ResourceNotFound (404) if the factor does not exist, FactorNeeded (409) if the organization requires the factor
   */
  async removeFactor(ctx: RequestContext, factor: FactorReference, currentPassword: string | undefined): Promise<void> {
    await this.reauthentication.assertConfirmed(ctx, currentPassword);
    const key = ownUserOf(ctx);
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      const remaining = owner && (await this.factorChanges.remove(ctx, owner, factor, unneeded<'sign_in'>('own_account')));
      if (!remaining) throw notFound(factor);
      assertSufficient(ctx, remaining);
      const loss = unneeded<'loss'>('own_account');
      await this.sessions.revokeAll(ctx, key, 'mfa_changed', owner.managingOrganization, loss, { exceptId: sessionOf(ctx).id });
    });
  }

  /**
   * Returns ten new recovery codes. The previous codes stop working.
   * @throws CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), MfaNotEnabled (409), HashingOverloaded (503)
   */
  async renewRecoveryCodes(ctx: RequestContext, currentPassword: string | undefined): Promise<readonly string[]> {
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    const generated = await this.recoveryCodes.generate();
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, ownUserOf(ctx));
      if (!owner?.user.mfaEnabled) throw new MfaNotEnabled();
      await this.recoveryCodes.replace(ctx, owner.user, generated, unneeded<'sign_in'>('own_account'));
      const userId = owner.user.id;
      await this.work.publish(ctx, 'user.recovery_codes_renewed', owner.managingOrganization, { userId }, { userId });
      await this.factorNotices.notify(ctx, owner, { kind: 'recovery_codes_renewed' });
      return generated.codes;
    });
  }
}

const notFound = (factor: FactorReference): ResourceNotFound =>
  factor.method === 'passkey'
    ? new ResourceNotFound('passkey', factor.passkeyId)
    : new ResourceNotFound('mfa_factor', factor.method);

function factorResponses({ totp, codes, passkeys }: Factors, allowed: readonly FactorMethod[]): FactorResponse[] {
  const commonFields = (method: FactorMethod, { createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date | null }) => ({
    method,
    restricted: isRestricted(method),
    allowed: allowed.includes(method),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  });
  return [
    ...passkeys.map((passkey) => ({ ...commonFields('passkey', passkey), id: passkey.id, name: passkey.name })),
    ...(totp ? [commonFields('totp', totp)] : []),
    ...codes.map((factor) => ({ ...commonFields(factor.method, factor), destination: maskedDestination(factor.destination) })),
  ];
}
