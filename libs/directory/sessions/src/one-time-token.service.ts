import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { type OneTimePurpose, OneTimeToken, type OneTimeTokenState, stateOf } from './one-time-token.entity.js';
import { OneTimeTokenRepository } from './one-time-token.repository.js';
import { PendingVerifications } from './pending-verifications.js';
import { TokenHashRepository } from './token-hash.repository.js';
import { isTokenShaped } from './token-shape.js';
import type { UserKey } from './user-key.js';

export interface NewOneTimeToken {
  readonly purpose: OneTimePurpose;
  readonly user: UserKey;
  readonly organizationId: string;
  readonly lifetimeMs: number;
  /** See `OneTimeToken.boundTo`. */
  readonly boundTo?: string;
}

/**
 * Proofs that are sent to a person and used once (OWASP ASVS 6.5.1): 256 random bits, stored as a hash, bound to user, organization
 * and purpose. Nothing in the token itself is trusted.
 */
@Injectable()
export class OneTimeTokenService {
  constructor(
    private readonly rows: OneTimeTokenRepository,
    private readonly tokenHashes: TokenHashRepository,
    private readonly pendingProofs: PendingVerifications,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Makes a token; older ones of the same purpose stay valid until `voidAll`.
   * @throws Error outside a transaction: the token, and the message that carries it, stand or fall with their change.
   */
  async issue(ctx: RequestContext, wanted: NewOneTimeToken): Promise<{ id: string; token: string; expiresAt: Date }> {
    if (!ctx.transaction) throw new Error('A one-time token must be issued in the transaction of its change.');
    const { purpose, user, organizationId, lifetimeMs, boundTo } = wanted;
    const now = this.work.now();
    const id = newId(purpose === 'invitation' ? 'invitation' : 'oneTimeToken');
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    const token = randomToken();
    const row = Object.assign(new OneTimeToken(), {
      id,
      tenantId: user.tenantId,
      purpose,
      userId: user.id,
      organizationId,
      boundTo: boundTo ?? null,
      expiresAt,
      usedAt: null,
      voidedAt: null,
      createdAt: now,
    } satisfies OneTimeToken);
    this.rows.insert(ctx, row);
    this.tokenHashes.insert(ctx, { hash: hashToken(token), kind: 'one_time_token', tenantId: user.tenantId, subjectId: id });
    return { id, token, expiresAt };
  }

  /**
   * Voids all unused tokens of the user and purpose, and returns their number. Without a purpose it voids every pending link, change and
   * sign-in of the account: part of each operation with which a person or an administrator recovers an account.
   */
  async voidAll(ctx: RequestContext, user: UserKey, purpose?: OneTimePurpose): Promise<number> {
    if (purpose === undefined) await this.pendingProofs.voidAll(ctx, user);
    return this.rows.voidUnused(ctx, user, purpose ?? null, this.work.now());
  }

  /** Whether the user was ever sent a token for the purpose. */
  async wasIssued(ctx: RequestContext, user: UserKey, purpose: OneTimePurpose): Promise<boolean> {
    return this.rows.exists(ctx, user, purpose);
  }

  /**
   * Uses a token up; null when it is unknown, for another purpose, used, voided or expired. In the transaction of what it permits, so
   * that a failure there leaves the token usable; others that bring the same token meanwhile wait for the outcome.
   */
  async consume(ctx: RequestContext, token: string, purpose: OneTimePurpose): Promise<OneTimeToken | null> {
    const subject = await this.subjectOf(ctx, token);
    return subject && this.rows.consume(ctx, subject.tenantId, subject.subjectId, purpose, this.work.now());
  }

  /** Looks at a token without using it: for the page that shows what it is for, and to notice that a used one comes again. */
  async inspect(
    ctx: RequestContext,
    token: string,
    purpose: OneTimePurpose,
  ): Promise<{ token: OneTimeToken; state: OneTimeTokenState } | null> {
    const subject = await this.subjectOf(ctx, token);
    const found = subject && (await this.rows.find(ctx, subject.tenantId, subject.subjectId));
    return found?.purpose === purpose ? { token: found, state: stateOf(found, this.work.now()) } : null;
  }

  /** What a token was made for, whatever it is worth by now; null for an unknown one. */
  async findPurpose(ctx: RequestContext, token: string): Promise<OneTimePurpose | null> {
    const subject = await this.subjectOf(ctx, token);
    const found = subject && (await this.rows.find(ctx, subject.tenantId, subject.subjectId));
    return found?.purpose ?? null;
  }

  /** Removes every trace of a user's tokens, for a permanent deletion. */
  async deleteAll(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const ids = await this.rows.deleteAll(ctx, user);
      await this.tokenHashes.deleteOf(ctx, 'one_time_token', user.tenantId, ids);
    });
  }

  private async subjectOf(ctx: RequestContext, token: string) {
    return isTokenShaped(token) ? this.tokenHashes.find(ctx, hashToken(token), 'one_time_token') : null;
  }
}
