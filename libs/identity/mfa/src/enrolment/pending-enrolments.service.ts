import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import type { FactorMethod } from '../mfa-method.js';
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

/** Stores the factor that the signed-in user is adding, until a confirmation in the session. Allows five attempts within ten minutes. */
@Injectable()
export class PendingEnrolmentsService {
  constructor(
    private readonly mfaEnrolments: MfaEnrolmentRepository,
    private readonly enrolmentAttempts: EnrolmentAttemptQuery,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

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
