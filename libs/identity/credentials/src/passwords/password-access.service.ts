import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountAccess } from '#directory/users';
import { PasswordRepository } from './password.repository.js';

/** Deletes the passwords of users who lose all access to their accounts. */
@Injectable()
export class PasswordAccessService implements OnModuleInit {
  constructor(
    private readonly passwordRepository: PasswordRepository,
    private readonly accountAccess: AccountAccess,
  ) {}

  onModuleInit(): void {
    this.accountAccess.register((ctx, { user }, { signIn }) => this.passwordRepository.delete(ctx, user, signIn));
  }
}
