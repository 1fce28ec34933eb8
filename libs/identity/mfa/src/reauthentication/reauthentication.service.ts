import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  assertRecentlyConfirmed,
  Clock,
  InvalidRequest,
  ownUserOf,
  type RequestContext,
  sessionOf,
} from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { SessionService } from '#directory/sessions';
import type { OfferedProof } from '../challenges/proofs.service.js';
import { SecondFactorsService, type StartedChallenge } from '../challenges/second-factors.service.js';
import { CurrentPasswordRequired, CurrentPasswordWrong, ReauthenticationLocked } from './reauthentication-errors.js';
import { ReauthenticationAttemptQuery } from './reauthentication-attempt.query.js';

/** How the user of a session can prove again who they are. */
export type ReauthenticationOffer =
  | { readonly kind: 'second_factor'; readonly challenge: StartedChallenge }
  | { readonly kind: 'password' }
  /** There is neither a password nor a second factor: only a new sign-in. */
  | { readonly kind: 'sign_in' };

/** Asks the signed-in user for proof once more, before a sensitive change (OWASP ASVS 7.5.1, 7.5.3). */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly attempts: ReauthenticationAttemptQuery,
    private readonly passwords: PasswordsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly sessions: SessionService,
    private readonly clock: Clock,
  ) {}

  /** Says how the user can prove who they are: by a second factor where the account has one, else by the password. */
  async begin(ctx: RequestContext): Promise<ReauthenticationOffer> {
    const user = ownUserOf(ctx);
    const challenge = await this.secondFactors.challengeSession(ctx, user, sessionOf(ctx));
    if (challenge) return { kind: 'second_factor', challenge };
    return { kind: (await this.passwords.isSet(ctx, user)) ? 'password' : 'sign_in' };
  }

  /**
   * Takes the password, which makes the session's proof recent. Outside a transaction.
   * @throws InvalidRequest (400) when the account has a second factor, CurrentPasswordWrong (403), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async confirmPassword(ctx: RequestContext, password: string): Promise<Date> {
    if (await this.secondFactors.hasAny(ctx, ownUserOf(ctx), sessionOf(ctx))) throw new InvalidRequest([SECOND_FACTOR_NEEDED]);
    await this.assertPassword(ctx, password);
    return this.confirmed(ctx);
  }

  /**
   * Takes a second factor, which makes the session's proof recent. Outside a transaction.
   * @throws MfaChallengeInvalid, MfaFailed (401), ReauthenticationLocked (429), HashingOverloaded (503)
   */
  async confirmSecondFactor(ctx: RequestContext, proof: OfferedProof & { readonly challengeToken: string }): Promise<Date> {
    await this.countTry(ctx);
    await this.secondFactors.verify(ctx, proof, sessionOf(ctx).id);
    await this.attempts.clear(ctx, ownUserOf(ctx));
    return this.confirmed(ctx);
  }

  /**
   * Passes with the current password. Without it a proof of the last ten minutes will do for a user who has no password, and for anybody
   * where `freshSignInWillDo`. Outside a transaction.
   * @throws CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationRequired (401), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async demand(ctx: RequestContext, currentPassword: string | undefined, { freshSignInWillDo = false } = {}): Promise<void> {
    if (currentPassword !== undefined) return this.assertPassword(ctx, currentPassword);
    if (!freshSignInWillDo && (await this.passwords.isSet(ctx, ownUserOf(ctx)))) throw new CurrentPasswordRequired();
    assertRecentlyAuthenticated(ctx, this.clock.now());
  }

  /**
   * Passes with a confirmation of the last ten minutes, for a user without a password with a sign-in of the last ten minutes, and with the
   * current password. Outside a transaction.
   * @throws ReauthenticationRequired (401), CurrentPasswordWrong (403), ReauthenticationLocked (429), HashingOverloaded (503)
   */
  async demandConfirmation(ctx: RequestContext, currentPassword: string | undefined): Promise<void> {
    if (currentPassword !== undefined) return this.assertPassword(ctx, currentPassword);
    if (await this.passwords.isSet(ctx, ownUserOf(ctx))) assertRecentlyConfirmed(sessionOf(ctx), this.clock.now());
    else assertRecentlyAuthenticated(ctx, this.clock.now());
  }

  private async confirmed(ctx: RequestContext): Promise<Date> {
    return this.sessions.confirm(ctx, ownUserOf(ctx), sessionOf(ctx).id);
  }

  private async assertPassword(ctx: RequestContext, password: string): Promise<void> {
    await this.countTry(ctx);
    const user = ownUserOf(ctx);
    if (!(await this.passwords.verify(ctx, user, password))) throw new CurrentPasswordWrong();
    await this.attempts.clear(ctx, user);
  }

  private async countTry(ctx: RequestContext): Promise<void> {
    const waitSeconds = await this.attempts.count(ctx, ownUserOf(ctx), this.clock.now());
    if (waitSeconds !== null) throw new ReauthenticationLocked(waitSeconds);
  }
}

const SECOND_FACTOR_NEEDED = {
  pointer: '/password',
  in: 'body',
  code: 'second_factor_required',
  message: 'Your account has multi-factor authentication. Use a factor instead of the password.',
} as const;
