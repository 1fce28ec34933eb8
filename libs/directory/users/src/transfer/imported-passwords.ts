import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';

/** The password hash of an imported user. */
export interface ImportedPassword {
  readonly userId: string;
  readonly hash: string;
}

/** Stores the passwords of new users, in the same transaction. */
export interface PasswordKeeper {
  keepImported(ctx: RequestContext, tenantId: string, passwords: readonly ImportedPassword[], at: Date): Promise<void>;
}

/** Stores imported passwords with the credentials library, which depends on users and therefore registers here. */
@Injectable()
export class ImportedPasswords {
  private keeper?: PasswordKeeper;

  register(keeper: PasswordKeeper): void {
    this.keeper = keeper;
  }

  async keep(ctx: RequestContext, tenantId: string, passwords: readonly ImportedPassword[], at: Date): Promise<void> {
    if (passwords.length === 0) return;
    if (!this.keeper) throw new Error('No library has registered how imported passwords are stored.');
    await this.keeper.keepImported(ctx, tenantId, passwords, at);
  }
}
