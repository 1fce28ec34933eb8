import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { SignInAuthorization } from '#directory/privileges';

export interface ImportedPassword {
  readonly userId: string;
  readonly hash: string;
}

/** Stores the passwords of new users in the credentials library, in the transaction that creates the users. */
export interface ImportedPasswordHandler {
  storeImported(
    ctx: RequestContext,
    tenantId: string,
    passwords: readonly ImportedPassword[],
    at: Date,
    signIn: SignInAuthorization,
  ): Promise<void>;
}

/**
 * The port through which the credentials library registers the storage of imported passwords. The credentials library imports this library.
 */
@Injectable()
export class ImportedPasswords {
  private handler?: ImportedPasswordHandler;

  register(handler: ImportedPasswordHandler): void {
    this.handler = handler;
  }

  async store(
    ctx: RequestContext,
    tenantId: string,
    passwords: readonly ImportedPassword[],
    at: Date,
    signIn: SignInAuthorization,
  ): Promise<void> {
    if (passwords.length === 0) return;
    if (!this.handler) throw new Error('No library has registered how imported passwords are stored.');
    await this.handler.storeImported(ctx, tenantId, passwords, at, signIn);
  }
}
