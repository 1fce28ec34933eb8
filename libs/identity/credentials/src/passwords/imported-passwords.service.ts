import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { SignInAuthorization } from '#directory/privileges';
import { type ImportedPassword, ImportedPasswords, type ImportedPasswordHandler } from '#directory/users';
import { PasswordRepository } from './password.repository.js';

/** Stores the password hashes of imported users. The first sign-in of a user replaces the hash. */
@Injectable()
export class ImportedPasswordsService implements ImportedPasswordHandler, OnModuleInit {
  constructor(
    private readonly passwordRepository: PasswordRepository,
    private readonly importedPasswords: ImportedPasswords,
  ) {}

  onModuleInit(): void {
    this.importedPasswords.register(this);
  }

  async storeImported(
    ctx: RequestContext,
    tenantId: string,
    passwords: readonly ImportedPassword[],
    at: Date,
    signIn: SignInAuthorization,
  ): Promise<void> {
    const credentials = passwords.map(({ userId, hash }) => ({
      tenantId,
      userId,
      passwordHash: hash,
      passwordChangedAt: at,
    }));
    this.passwordRepository.insertAll(ctx, credentials, signIn);
  }
}
