import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hasSecondFactor, ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type SignInAuthorization, unneeded } from '#directory/privileges';
import { PendingVerifications, SessionService, type UserKey } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization, UserFactorsService } from '#directory/users';
import { MfaChallengeRepository } from '../challenges/mfa-challenge.repository.js';
import { MfaEnrolmentRepository } from '../enrolment/mfa-enrolment.repository.js';
import type { FactorMethod } from '../mfa-method.js';
import type { Passkey } from '../passkeys/passkey.entity.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { EnrolledFactorsService, type FactorReference, methodsOf, referencesOf } from './enrolled-factors.service.js';
import { FactorNoticesService } from './factor-notices.service.js';
import { sessionRules } from './factor-rules.js';

/** The codes and the token that the user receives, only once, after adding a factor. */
export interface AddedFactor {
  /** Present for the user's first factor. */
  readonly recoveryCodes?: readonly string[];
  /** Present if the session has a new token. */
  readonly sessionToken?: string;
}

/** Adds and removes factors. Records the methods in the user's row, publishes events and notifies the user. */
@Injectable()
export class FactorChangesService implements OnModuleInit {
  constructor(
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly mfaEnrolments: MfaEnrolmentRepository,
    private readonly userFactors: UserFactorsService,
    private readonly userActivation: UserActivationService,
    private readonly factorNotices: FactorNoticesService,
    private readonly sessions: SessionService,
    private readonly pendingVerifications: PendingVerifications,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.pendingVerifications.register((ctx, user) => this.voidPending(ctx, user));
  }

  /**
   * Adds a factor of the signed-in user in a transaction, in which `insert` writes the factor. Ends the user's other sessions and notifies
   * the user.
   * @throws HashingOverloaded (503), and the errors of `insert`
   */
  async add(
    ctx: RequestContext,
    method: FactorMethod,
    insert: (ctx: RequestContext, owner: UserWithOrganization, signIn: SignInAuthorization) => Promise<void>,
  ): Promise<AddedFactor> {
    const key = ownUserOf(ctx);
    const generated = (await this.recoveryCodes.count(ctx, key)) === null ? await this.recoveryCodes.generate() : null;
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      const signIn = unneeded<'sign_in'>('own_account');
      await insert(ctx, owner, signIn);
      await this.recordAdded(ctx, owner, method);
      // Checked again under the lock, because a concurrent request may have added the first factor.
      const isFirst = generated !== null && (await this.recoveryCodes.count(ctx, key)) === null;
      if (isFirst) await this.recoveryCodes.replace(ctx, key, generated, signIn);
      const sessionToken = await this.upgradeSession(ctx, owner, method);
      return { ...(isFirst ? { recoveryCodes: generated.codes } : {}), ...(sessionToken === null ? {} : { sessionToken }) };
    });
  }

  /** Removes a factor of a locked user, in the caller's transaction. Returns the remaining methods, or null if the factor does not exist. */
  async remove(
    ctx: RequestContext,
    owner: UserWithOrganization,
    factor: FactorReference,
    signIn: SignInAuthorization,
  ): Promise<FactorMethod[] | null> {
    const remaining = await this.removeOne(ctx, owner, factor, signIn);
    if (remaining) await this.factorNotices.notify(ctx, owner, { kind: 'factor_removed', method: factor.method });
    return remaining;
  }

  /** Removes all factors of a locked user, in the caller's transaction. Returns whether the user had a factor. */
  async removeAll(ctx: RequestContext, owner: UserWithOrganization, signIn: SignInAuthorization): Promise<boolean> {
    const factors = referencesOf(await this.enrolledFactors.get(ctx, owner.user));
    if (factors.length === 0) return false;
    for (const factor of factors) await this.removeOne(ctx, owner, factor, signIn);
    await this.factorNotices.notify(ctx, owner, { kind: 'factors_removed' });
    return true;
  }

  private async recordAdded(ctx: RequestContext, owner: UserWithOrganization, method: FactorMethod): Promise<void> {
    const { user, managingOrganization } = owner;
    const factors = await this.enrolledFactors.get(ctx, user);
    await this.userFactors.record(ctx, user, methodsOf(factors));
    // Ids are ordered in time.
    const newest = factors.passkeys.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
    const data = { userId: user.id, method, mfaMethods: user.mfaMethods, ...authenticatorOf(method, newest) };
    await this.work.publish(ctx, 'user.mfa_enabled', managingOrganization, data, { userId: user.id });
    await this.factorNotices.notify(ctx, owner, { kind: 'factor_added', method });
  }

  /**
   * Ends the user's other sessions. If the session has no allowed second factor, makes the session a full session and returns the new
   * token. Otherwise, returns null.
   */
  private async upgradeSession(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    method: FactorMethod,
  ): Promise<string | null> {
    const { id, authenticationMethods, enrolmentOnly } = sessionOf(ctx);
    const isFull = !enrolmentOnly && hasSecondFactor(authenticationMethods, sessionRules(ctx).mfaMethods);
    const token = isFull ? null : await this.sessions.addAuthenticationMethod(ctx, user, id, method);
    await this.sessions.revokeAll(ctx, user, 'mfa_changed', managingOrganization, unneeded<'loss'>('own_account'), {
      exceptId: id,
    });
    return token;
  }

  /** Removes a factor and publishes `user.mfa_disabled`. Deletes the recovery codes with the last factor. */
  private async removeOne(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    factor: FactorReference,
    signIn: SignInAuthorization,
  ): Promise<FactorMethod[] | null> {
    const { passkeys } = await this.enrolledFactors.get(ctx, user);
    if (!(await this.enrolledFactors.delete(ctx, user, factor, signIn))) return null;
    const remaining = methodsOf(await this.enrolledFactors.get(ctx, user));
    if (remaining.length === 0) {
      await this.recoveryCodes.delete(ctx, user, signIn);
      await this.voidPending(ctx, user);
    } else await this.voidChallenges(ctx, user);
    await this.userFactors.record(ctx, user, remaining);
    const removed = factor.method === 'passkey' ? passkeys.find(({ id }) => id === factor.passkeyId) : undefined;
    const data = {
      userId: user.id,
      method: factor.method,
      mfaMethods: user.mfaMethods,
      ...authenticatorOf(factor.method, removed),
    };
    await this.work.publish(ctx, 'user.mfa_disabled', managingOrganization, data, { userId: user.id });
    return remaining;
  }

  /** Voids the challenges and enrolments that a user has not completed. Account recovery calls it through `PendingVerifications`. */
  private async voidPending(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.voidChallenges(ctx, user);
    await this.mfaEnrolments.deleteAll(ctx, user);
  }

  /** Voids pending challenges after a change of the factors. Pending sign-ins must start again. */
  private async voidChallenges(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.mfaChallenges.voidAll(ctx, user, this.work.now());
  }
}

/** Returns whether a passkey is built into a device, as its transports say, or on a security key. */
function authenticatorOf(method: FactorMethod, passkey: Passkey | undefined): { authenticator?: 'platform' | 'roaming' } {
  if (method !== 'passkey' || !passkey || passkey.transports.length === 0) return {};
  const isBuiltIn = passkey.transports.some((transport) => transport === 'internal' || transport === 'hybrid');
  return { authenticator: isBuiltIn ? 'platform' : 'roaming' };
}
