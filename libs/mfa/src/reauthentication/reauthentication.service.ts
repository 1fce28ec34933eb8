import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, sessionOf } from '#common';
import { Passwords } from '#credentials';
import { CurrentPasswordWrong, ReauthenticationLocked, ReauthenticationRequired } from './reauthentication-errors.js';
import { ReauthenticationTries } from './reauthentication-try.repository.js';

const FRESH_MS = 10 * 60_000;

/** Asks the signed-in user for proof once more before what protects the account is changed (OWASP ASVS 7.5.1). */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly tries: ReauthenticationTries,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
  ) {}

  /**
   * Passes with the current password. Without it a sign-in of the last ten minutes will do for a user who has no password, and for anybody
   * where `freshSignInWillDo`. Outside a transaction.
   * @throws ReauthenticationRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), HashingOverloaded (503)
   */
  async demand(ctx: RequestContext, currentPassword: string | undefined, { freshSignInWillDo = false } = {}): Promise<void> {
    if (currentPassword !== undefined) return this.demandPassword(ctx, currentPassword);
    const user = ownUserOf(ctx);
    const hasPassword = await this.passwords.isSet(ctx, user);
    const isFresh = this.clock.now().getTime() - sessionOf(ctx).createdAt.getTime() < FRESH_MS;
    if (!isFresh || (hasPassword && !freshSignInWillDo)) throw new ReauthenticationRequired(hasPassword);
  }

  private async demandPassword(ctx: RequestContext, currentPassword: string): Promise<void> {
    const user = ownUserOf(ctx);
    const waitSeconds = await this.tries.count(ctx, user, this.clock.now());
    if (waitSeconds !== null) throw new ReauthenticationLocked(waitSeconds);
    if (!(await this.passwords.verify(ctx, user, currentPassword))) throw new CurrentPasswordWrong();
    await this.tries.clear(ctx, user);
  }
}
