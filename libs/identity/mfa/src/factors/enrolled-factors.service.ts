import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from '#directory/sessions';
import type { CodeFactor } from '../codes/code-factor.entity.js';
import { CodeFactorRepository } from '../codes/code-factor.repository.js';
import type { FactorMethod } from '../mfa-method.js';
import type { Passkey } from '../passkeys/passkey.entity.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import type { TotpFactor } from '../totp/totp-factor.entity.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';

/** All that a user has added. */
export interface Factors {
  readonly totp: TotpFactor | null;
  readonly codes: readonly CodeFactor[];
  readonly passkeys: readonly Passkey[];
}

/** Reads what second factors a user has. */
@Injectable()
export class EnrolledFactorsService {
  constructor(
    private readonly totps: TotpFactorRepository,
    private readonly codeFactors: CodeFactorRepository,
    private readonly passkeys: PasskeyRepository,
  ) {}

  async of(ctx: RequestContext, user: UserKey): Promise<Factors> {
    const totp = await this.totps.find(ctx, user);
    const codes = await this.codeFactors.list(ctx, user);
    return { totp, codes, passkeys: await this.passkeys.list(ctx, user) };
  }
}

/** The methods that factors make possible, the strongest first. */
export function methodsOf({ totp, codes, passkeys }: Factors): FactorMethod[] {
  return [
    ...(passkeys.length > 0 ? ['passkey' as const] : []),
    ...(totp ? ['totp' as const] : []),
    ...codes.map(({ method }) => method),
  ];
}
