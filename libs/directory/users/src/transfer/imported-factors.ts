import { Injectable } from '@nestjs/common';
import type { DomainError, RequestContext } from '#platform/common';
import type { SignInAuthorization } from '#directory/privileges';
import type { ImportPasskeyRequest } from './import-access.requests.js';

/** The MFA factors that a line gives to a new user. */
export interface LineFactors {
  readonly totpSecret?: string | undefined;
  readonly passkeys?: readonly ImportPasskeyRequest[] | undefined;
}

export interface ImportedFactors extends LineFactors {
  readonly userId: string;
  /** The methods of the factors, as the user has them. */
  readonly mfaMethods: readonly string[];
}

/** Checks and stores the factors of new users in the MFA library. */
export interface ImportedFactorsHandler {
  /** Returns the reason why each of the factors can't be imported, or undefined. */
  findProblems(
    ctx: RequestContext,
    tenantId: string,
    lines: readonly LineFactors[],
  ): Promise<readonly (DomainError | undefined)[]>;
  /** Stores the factors in the transaction that creates the users. */
  store(
    ctx: RequestContext,
    tenantId: string,
    factors: readonly ImportedFactors[],
    at: Date,
    signIn: SignInAuthorization,
  ): Promise<void>;
}

/** The port through which the MFA library registers the storage of imported factors. The MFA library imports this library. */
@Injectable()
export class ImportedFactorsPort {
  private registered?: ImportedFactorsHandler;

  register(handler: ImportedFactorsHandler): void {
    this.registered = handler;
  }

  get handler(): ImportedFactorsHandler {
    if (!this.registered) throw new Error('No library has registered how imported factors are stored.');
    return this.registered;
  }
}

/** Returns the methods of the factors of a line, sorted as in users. */
export const methodsOf = ({ totpSecret, passkeys = [] }: LineFactors): string[] => [
  ...(passkeys.length > 0 ? ['passkey'] : []),
  ...(totpSecret === undefined ? [] : ['totp']),
];
