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
import { SessionService, type UserKey } from '#directory/sessions';
import { SsoRequirementService } from '#directory/users';
import { MfaChallengesService, type StartedChallenge } from '../challenges/mfa-challenges.service.js';
import type { OfferedProof } from '../challenges/proof.js';
import { ReauthenticationAttemptQuery } from './reauthentication-attempt.query.js';
import { CurrentPasswordRequired, CurrentPasswordWrong, ReauthenticationLocked } from './reauthentication-errors.js';

/** The way in which a user can confirm their identity in a session. */
export type ReauthenticationOffer =
  | { readonly kind: 'second_factor'; readonly challenge: StartedChallenge }
  | { readonly kind: 'password' }
  /** The user has neither a password nor a second factor, so a new sign-in is required. */
  | { readonly kind: 'sign_in' };

/** Confirms the identity of the signed-in user before a sensitive change (OWASP ASVS 7.5.1, 7.5.3). */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly reauthenticationAttempts: ReauthenticationAttemptQuery,
    private readonly passwords: PasswordsService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly mfaChallenges: MfaChallengesService,
    private readonly sessions: SessionService,
    private readonly clock: Clock,
  ) {}

  /** Returns how the user can confirm their identity: with a second factor, else with the password, else with a new sign-in. */
  async start(ctx: RequestContext): Promise<ReauthenticationOffer> {
    const user = ownUserOf(ctx);
    const challenge = await this.mfaChallenges.startForSession(ctx, user, sessionOf(ctx));
    if (challenge) return { kind: 'second_factor', challenge };
    return { kind: (await this.hasUsablePassword(ctx, user)) ? 'password' : 'sign_in' };
  }

  /**
   * Confirms the identity with the password, outside a transaction. Returns the time of the confirmation.
   * @throws InvalidRequest (400) if the account has a second factor, CurrentPasswordWrong (403), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async confirmPassword(ctx: RequestContext, password: string): Promise<Date> {
    if (await this.mfaChallenges.hasFactor(ctx, ownUserOf(ctx), sessionOf(ctx))) throw new InvalidRequest([SECOND_FACTOR_NEEDED]);
    await this.assertPassword(ctx, password);
    return this.recordConfirmation(ctx);
  }

  /**
   * Confirms the identity with a second factor, outside a transaction. Returns the time of the confirmation.
   * @throws MfaChallengeInvalid, MfaFailed (401), ReauthenticationLocked (429), HashingOverloaded (503)
   */
  async confirmSecondFactor(ctx: RequestContext, proof: OfferedProof & { readonly challengeToken: string }): Promise<Date> {
    await this.recordAttempt(ctx);
    await this.mfaChallenges.verify(ctx, proof, sessionOf(ctx).id);
    await this.reauthenticationAttempts.clear(ctx, ownUserOf(ctx));
    return this.recordConfirmation(ctx);
  }

  /**
   * Asserts the current password, outside a transaction. A user without a password must have authenticated within the last ten minutes.
   * With `isRecentSignInEnough`, an authentication within the last ten minutes replaces a missing password for every user.
   * @throws CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationRequired (401), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async assertReauthenticated(
    ctx: RequestContext,
    currentPassword: string | undefined,
    { isRecentSignInEnough = false } = {},
  ): Promise<void> {
    if (currentPassword !== undefined) return this.assertPassword(ctx, currentPassword);
    if (!isRecentSignInEnough && (await this.hasUsablePassword(ctx, ownUserOf(ctx)))) throw new CurrentPasswordRequired();
    assertRecentlyAuthenticated(ctx, this.clock.now());
  }

  /**
   * Asserts the current password, outside a transaction. Without a password in the request, asserts a confirmation of the identity within
   * the last ten minutes. For a user without a password, a sign-in within the last ten minutes is enough.
   * @throws ReauthenticationRequired (401), CurrentPasswordWrong (403), ReauthenticationLocked (429), HashingOverloaded (503)
   */
  async assertConfirmed(ctx: RequestContext, currentPassword: string | undefined): Promise<void> {
    if (currentPassword !== undefined) return this.assertPassword(ctx, currentPassword);
    if (await this.hasUsablePassword(ctx, ownUserOf(ctx))) assertRecentlyConfirmed(sessionOf(ctx), this.clock.now());
    else assertRecentlyAuthenticated(ctx, this.clock.now());
  }

  /** A user who can sign in only with an identity provider can't use a stored password. */
  private async hasUsablePassword(ctx: RequestContext, user: UserKey): Promise<boolean> {
    return (await this.passwords.isSet(ctx, user)) && !(await this.ssoRequirement.isRequired(ctx, user));
  }

  private async recordConfirmation(ctx: RequestContext): Promise<Date> {
    return this.sessions.recordReauthentication(ctx, ownUserOf(ctx), sessionOf(ctx).id);
  }

  private async assertPassword(ctx: RequestContext, password: string): Promise<void> {
    await this.recordAttempt(ctx);
    const user = ownUserOf(ctx);
    const isCorrect = await this.passwords.verify(ctx, user, password);
    if (!isCorrect || (await this.ssoRequirement.isRequired(ctx, user))) throw new CurrentPasswordWrong();
    await this.reauthenticationAttempts.clear(ctx, user);
  }

  /** Records an attempt. @throws ReauthenticationLocked (429) after too many attempts */
  private async recordAttempt(ctx: RequestContext): Promise<void> {
    const waitSeconds = await this.reauthenticationAttempts.record(ctx, ownUserOf(ctx), this.clock.now());
    if (waitSeconds !== null) throw new ReauthenticationLocked(waitSeconds);
  }
}

const SECOND_FACTOR_NEEDED = {
  pointer: '/password',
  in: 'body',
  code: 'second_factor_required',
  message: 'Your account has multi-factor authentication. Use a factor instead of the password.',
} as const;
