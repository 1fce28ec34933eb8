import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';

/** The hash of a password that a user brings along from elsewhere. */
export interface ImportedPassword {
  readonly userId: string;
  readonly hash: string;
}

/** Keeps the passwords of users that were just made, in the same transaction. */
export interface PasswordKeeper {
  keepImported(ctx: RequestContext, tenantId: string, passwords: readonly ImportedPassword[], at: Date): Promise<void>;
}

/** How an import hands on passwords, though their room is built on users: it registers here. */
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
