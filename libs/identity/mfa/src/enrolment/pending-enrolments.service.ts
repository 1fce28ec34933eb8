import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import type { FactorMethod } from '../mfa-method.js';
import { enrolmentContext } from '../sealing-contexts.js';
import { EnrolmentMissing } from './enrolment-errors.js';
import { type EnrolmentKey, EnrolmentRepository } from './enrolment.repository.js';

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
    private readonly enrolments: EnrolmentRepository,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Keeps the content, sealed, in the place of what was begun before; gives until when. */
  async begin(ctx: RequestContext, method: FactorMethod, content: object, lifetimeMs = LIFETIME_MS): Promise<Date> {
    const key = keyOf(ctx, method);
    const at = this.clock.now();
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const contentSealed = this.sealer.seal(JSON.stringify(content), enrolmentContext(key.user, method));
    await this.enrolments.put(ctx, key, { contentSealed, expiresAt, at });
    return expiresAt;
  }

  /** Counts a try and gives what is to be proven. Outside a transaction, since the try counts whatever becomes of it. @throws EnrolmentMissing (409) */
  async open<Content>(ctx: RequestContext, method: FactorMethod): Promise<OpenEnrolment<Content>> {
    const key = keyOf(ctx, method);
    const begun = await this.enrolments.countTry(ctx, key, this.clock.now());
    if (begun === null) throw new EnrolmentMissing();
    const content = JSON.parse(this.sealer.open(begun.contentSealed, enrolmentContext(key.user, method))) as Content;
    return { key, content, begunAt: begun.begunAt };
  }

  /** Ends an enrolment in the transaction that adds the factor. @throws EnrolmentMissing (409) when another one did */
  async finish(ctx: RequestContext, { key, begunAt }: OpenEnrolment<unknown>): Promise<void> {
    if (!(await this.enrolments.take(ctx, key, begunAt))) throw new EnrolmentMissing();
  }
}

const keyOf = (ctx: RequestContext, method: FactorMethod): EnrolmentKey => ({
  user: ownUserOf(ctx),
  method,
  sessionId: sessionOf(ctx).id,
});
