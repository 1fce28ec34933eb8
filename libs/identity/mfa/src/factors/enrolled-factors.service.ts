import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import type { CodeFactor } from '../codes/code-factor.entity.js';
import { CodeFactorRepository } from '../codes/code-factor.repository.js';
import type { FactorMethod } from '../mfa-method.js';
import type { Passkey } from '../passkeys/passkey.entity.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import type { TotpFactor } from '../totp/totp-factor.entity.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';

export interface Factors {
  readonly totp: TotpFactor | null;
  readonly codes: readonly CodeFactor[];
  readonly passkeys: readonly Passkey[];
}

/** Identifies a factor of a user. Only passkeys need an id, because a user can have several. */
export type FactorReference =
  | { readonly method: Exclude<FactorMethod, 'passkey'> }
  | { readonly method: 'passkey'; readonly passkeyId: string };

/** Reads and deletes factors. Each kind of factor has its own table. */
@Injectable()
export class EnrolledFactorsService {
  constructor(
    private readonly totpFactors: TotpFactorRepository,
    private readonly codeFactors: CodeFactorRepository,
    private readonly passkeys: PasskeyRepository,
  ) {}

  async get(ctx: RequestContext, user: UserKey): Promise<Factors> {
    const totp = await this.totpFactors.find(ctx, user);
    const codes = await this.codeFactors.list(ctx, user);
    return { totp, codes, passkeys: await this.passkeys.list(ctx, user) };
  }

  /** Deletes the factor. Returns false if the factor does not exist. */
  async delete(ctx: RequestContext, user: UserKey, factor: FactorReference, signIn: SignInAuthorization): Promise<boolean> {
    if (factor.method === 'passkey') return this.passkeys.delete(ctx, user, factor.passkeyId, signIn);
    return factor.method === 'totp'
      ? this.totpFactors.delete(ctx, user, signIn)
      : this.codeFactors.delete(ctx, user, factor.method, signIn);
  }
}

export function methodsOf({ totp, codes, passkeys }: Factors): FactorMethod[] {
  return [
    ...(passkeys.length > 0 ? ['passkey' as const] : []),
    ...(totp ? ['totp' as const] : []),
    ...codes.map(({ method }) => method),
  ];
}

export const referencesOf = ({ totp, codes, passkeys }: Factors): FactorReference[] => [
  ...passkeys.map(({ id }): FactorReference => ({ method: 'passkey', passkeyId: id })),
  ...(totp ? [{ method: 'totp' } as const] : []),
  ...codes.map(({ method }): FactorReference => ({ method })),
];
