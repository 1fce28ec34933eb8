import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountAccess } from '#directory/users';
import { FactorChangesService } from './factor-changes.service.js';

/** Removes the factors of users who lose all access to their accounts. */
@Injectable()
export class FactorAccessService implements OnModuleInit {
  constructor(
    private readonly factorChanges: FactorChangesService,
    private readonly accountAccess: AccountAccess,
  ) {}

  onModuleInit(): void {
    this.accountAccess.register(async (ctx, owner, { signIn }) => {
      await this.factorChanges.removeAll(ctx, owner, signIn);
    });
  }
}
