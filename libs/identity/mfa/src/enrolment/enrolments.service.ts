import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { SsoRequirementService, UserActivationService, type UserWithOrganization } from '#directory/users';
import { EnrolledFactorsService, methodsOf } from '../factors/enrolled-factors.service.js';
import { assertAddable } from '../factors/factor-rules.js';
import type { FactorMethod } from '../mfa-method.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import { enrolmentContext } from '../sealing-contexts.js';
import { EnrolmentAttemptQuery } from './enrolment-attempt.query.js';
import { EnrolmentMissing } from './enrolment-errors.js';
import { type EnrolmentKey, MfaEnrolmentRepository } from './mfa-enrolment.repository.js';

const LIFETIME_MS = 10 * 60_000;

export interface PendingEnrolment<Content> {
  readonly key: EnrolmentKey;
  readonly content: Content;
  readonly startedAt: Date;
}

/**
 * Decides whether the signed-in user can add a factor, and stores the factor until a confirmation in the session. Allows five attempts
 * within ten minutes. Its only caller, `FactorEnrolmentService`, would have 13 dependencies with it.
 */
@Injectable()
export class EnrolmentsService {
  constructor(
    private readonly mfaEnrolments: MfaEnrolmentRepository,
    private readonly enrolmentAttempts: EnrolmentAttemptQuery,
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly reauthentication: ReauthenticationService,
    private readonly userActivation: UserActivationService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the signed-in user if the user can add a factor of the method.
   * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422), SsoRequired, CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationRequired
   * (401), ReauthenticationLocked (429)
   */
  async authorize(ctx: RequestContext, method: FactorMethod, currentPassword: string | undefined): Promise<UserWithOrganization> {
    const key = ownUserOf(ctx);
    assertAddable(ctx, method, methodsOf(await this.enrolledFactors.get(ctx, key)));
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    await this.assertNotRequired(ctx, owner, method);
    await this.reauthentication.assertReauthenticated(ctx, currentPassword, { isRecentSignInEnough: true });
    return owner;
  }

  /** Asserts that a user who can sign in only with an identity provider adds no passkey, which can sign in. @throws SsoRequired (403) */
  async assertNotRequired(ctx: RequestContext, owner: UserWithOrganization, method: FactorMethod): Promise<void> {
    if (method === 'passkey') await this.ssoRequirement.assertNotRequired(ctx, owner);
  }

  /** Encrypts and stores the content. Replaces the user's enrolment of the method. Returns the expiry. */
  async start(ctx: RequestContext, method: FactorMethod, content: object, lifetimeMs = LIFETIME_MS): Promise<Date> {
    const key = keyOf(ctx, method);
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
    const contentSealed = this.sealer.seal(JSON.stringify(content), enrolmentContext(key.userId, method));
    await this.mfaEnrolments.replace(ctx, { ...key, contentSealed, expiresAt, createdAt });
    return expiresAt;
  }

  /**
   * Counts an attempt and returns the enrolment. Must run outside a transaction, so that a failed attempt stays counted.
   * @throws EnrolmentMissing (409)
   */
  async startAttempt<Content>(ctx: RequestContext, method: FactorMethod): Promise<PendingEnrolment<Content>> {
    const key = keyOf(ctx, method);
    const enrolment = await this.enrolmentAttempts.startAttempt(ctx, key, this.clock.now());
    if (enrolment === null) throw new EnrolmentMissing();
    const content = JSON.parse(this.sealer.open(enrolment.contentSealed, enrolmentContext(key.userId, method))) as Content;
    return { key, content, startedAt: enrolment.createdAt };
  }

  /** Deletes an enrolment in the transaction that adds the factor. @throws EnrolmentMissing (409) if a concurrent request was first */
  async complete(ctx: RequestContext, { key, startedAt }: PendingEnrolment<unknown>): Promise<void> {
    if (!(await this.mfaEnrolments.consume(ctx, key, startedAt))) throw new EnrolmentMissing();
  }
}

function keyOf(ctx: RequestContext, method: FactorMethod): EnrolmentKey {
  const { tenantId, id: userId } = ownUserOf(ctx);
  return { tenantId, userId, method, sessionId: sessionOf(ctx).id };
}
