import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import type { FactorMethod } from '../mfa-method.js';
import { enrolmentContext } from '../sealing-contexts.js';
import { EnrolmentMissing } from './enrolment-errors.js';
import { EnrolmentAttemptQuery } from './enrolment-attempt.query.js';
import { type EnrolmentKey, MfaEnrolmentRepository } from './mfa-enrolment.repository.js';

const LIFETIME_MS = 10 * 60_000;

/** An enrolment whose proof is being judged. */
export interface OpenEnrolment<Content> {
  readonly key: EnrolmentKey;
  readonly content: Content;
  readonly begunAt: Date;
}

/** Keeps what a signed-in user wants to add until it is proven to work: ten minutes, five tries, the same session. */
@Injectable()
export class PendingEnrolmentsService {
  constructor(
    private readonly enrolments: MfaEnrolmentRepository,
    private readonly attempts: EnrolmentAttemptQuery,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Keeps the content, sealed, in the place of what was begun before; gives until when. */
  async begin(ctx: RequestContext, method: FactorMethod, content: object, lifetimeMs = LIFETIME_MS): Promise<Date> {
    const key = keyOf(ctx, method);
    const at = this.clock.now();
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const contentSealed = this.sealer.seal(JSON.stringify(content), enrolmentContext(key.userId, method));
    await this.enrolments.replace(ctx, { ...key, contentSealed, expiresAt, createdAt: at });
    return expiresAt;
  }

  /** Counts a try and gives what is to be proven. Outside a transaction, since the try counts whatever becomes of it. @throws EnrolmentMissing (409) */
  async open<Content>(ctx: RequestContext, method: FactorMethod): Promise<OpenEnrolment<Content>> {
    const key = keyOf(ctx, method);
    const begun = await this.attempts.count(ctx, key, this.clock.now());
    if (begun === null) throw new EnrolmentMissing();
    const content = JSON.parse(this.sealer.open(begun.contentSealed, enrolmentContext(key.userId, method))) as Content;
    return { key, content, begunAt: begun.createdAt };
  }

  /** Ends an enrolment in the transaction that adds the factor. @throws EnrolmentMissing (409) when another one did */
  async finish(ctx: RequestContext, { key, begunAt }: OpenEnrolment<unknown>): Promise<void> {
    if (!(await this.enrolments.consume(ctx, key, begunAt))) throw new EnrolmentMissing();
  }
}

function keyOf(ctx: RequestContext, method: FactorMethod): EnrolmentKey {
  const { tenantId, id: userId } = ownUserOf(ctx);
  return { tenantId, userId, method, sessionId: sessionOf(ctx).id };
}
