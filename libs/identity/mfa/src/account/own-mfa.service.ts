import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext } from '#platform/common';
import { SsoRequirementService } from '#directory/users';
import { maskedDestination } from '../codes/security-code.js';
import { EnrolledFactorsService, type Factors, methodsOf } from '../factors/enrolled-factors.service.js';
import { FactorRulesService } from '../factors/factor-rules.service.js';
import { type FactorMethod, isRestricted } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import type { FactorResponse, OwnMfaResponse } from './mfa.responses.js';

@Injectable()
export class OwnMfaService {
  constructor(
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly factorRules: FactorRulesService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  async get(ctx: RequestContext): Promise<OwnMfaResponse> {
    const user = ownUserOf(ctx);
    const factors = await this.enrolledFactors.get(ctx, user);
    const { requireMfa, mfaMethods } = this.factorRules.getSessionRules(ctx);
    const enrolled = methodsOf(factors);
    const ssoRequired = await this.ssoRequirement.isRequired(ctx, user);
    const addable = this.factorRules.listAddable(mfaMethods, enrolled).filter((method) => !(ssoRequired && method === 'passkey'));
    return {
      enabled: enrolled.length > 0,
      required: requireMfa,
      factors: factorResponses(factors, mfaMethods),
      available: addable.map((method) => ({ method, restricted: isRestricted(method) })),
      recoveryCodesLeft: (await this.recoveryCodes.count(ctx, user)) ?? 0,
    };
  }
}

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
