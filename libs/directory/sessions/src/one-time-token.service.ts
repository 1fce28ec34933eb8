import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import type { SignInAuthorization } from '#directory/privileges';
import { type OneTimePurpose, OneTimeToken, type OneTimeTokenState, stateOf } from './one-time-token.entity.js';
import { OneTimeTokenRepository } from './one-time-token.repository.js';
import { PendingVerifications } from './pending-verifications.js';
import { TokenHashQuery } from './token-hash.query.js';
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

/** Issues, voids and consumes one-time tokens (OWASP ASVS 6.5.1). A token has 256 random bits and is stored only as a hash. */
@Injectable()
export class OneTimeTokenService {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly tokenHashes: TokenHashQuery,
    private readonly newTokenHashes: TokenHashRepository,
    private readonly pendingVerifications: PendingVerifications,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates a token. Earlier tokens for the purpose stay valid until `voidAll`.
   * @throws Error outside a transaction, because the token must be committed with the change that requires the token
   */
  async issue(
    ctx: RequestContext,
    request: NewOneTimeToken,
    signIn: SignInAuthorization,
  ): Promise<{ id: string; token: string; expiresAt: Date }> {
    if (!ctx.transaction) throw new Error('A one-time token must be issued in the transaction of its change.');
    const { purpose, user, organizationId, lifetimeMs, boundTo } = request;
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
    this.tokens.insert(ctx, row, signIn);
    this.newTokenHashes.insert(ctx, { hash: hashToken(token), kind: 'one_time_token', tenantId: user.tenantId, subjectId: id });
    return { id, token, expiresAt };
  }

  /**
   * Voids the unused tokens of the user for a purpose. Returns the number of voided tokens. Without a purpose, voids all unused tokens and
   * pending verifications of the user, such as unfinished sign-ins.
   */
  async voidAll(ctx: RequestContext, user: UserKey, purpose?: OneTimePurpose): Promise<number> {
    if (purpose === undefined) await this.pendingVerifications.voidAll(ctx, user);
    return this.tokens.voidUnused(ctx, user, purpose ?? null, this.work.now());
  }

  async wasIssued(ctx: RequestContext, user: UserKey, purpose: OneTimePurpose): Promise<boolean> {
    return this.tokens.exists(ctx, user, purpose);
  }

  /**
   * Marks a token as used and returns the token. Returns null if the token is unknown, used, voided, expired or for another purpose. Must
   * run in the transaction of the change that the token permits, so that a rollback keeps the token valid.
   */
  async consume(ctx: RequestContext, token: string, purpose: OneTimePurpose): Promise<OneTimeToken | null> {
    const subject = await this.subjectOf(ctx, token);
    return subject && this.tokens.consume(ctx, subject.tenantId, subject.id, purpose, this.work.now());
  }

  /** Returns a token and its state without using the token. Returns null if the token is unknown or for another purpose. */
  async inspect(
    ctx: RequestContext,
    token: string,
    purpose: OneTimePurpose,
  ): Promise<{ token: OneTimeToken; state: OneTimeTokenState } | null> {
    const stored = await this.find(ctx, token);
    return stored?.purpose === purpose ? { token: stored, state: stateOf(stored, this.work.now()) } : null;
  }

  /** Returns the purpose of a token in any state, or null if the token is unknown. */
  async findPurpose(ctx: RequestContext, token: string): Promise<OneTimePurpose | null> {
    return (await this.find(ctx, token))?.purpose ?? null;
  }

  /** Returns a token in any state, for any purpose, or null if the token is unknown. */
  async find(ctx: RequestContext, token: string): Promise<OneTimeToken | null> {
    const subject = await this.subjectOf(ctx, token);
    return subject && this.tokens.find(ctx, subject.tenantId, subject.id);
  }

  /** Deletes all tokens and token hashes of a user. */
  async deleteAll(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const ids = await this.tokens.deleteAll(ctx, user);
      await this.tokenHashes.deleteOf(ctx, 'one_time_token', user.tenantId, ids);
    });
  }

  private async subjectOf(ctx: RequestContext, token: string) {
    return isTokenShaped(token) ? ((await this.tokenHashes.find(ctx, 'one_time_token', hashToken(token))) ?? null) : null;
  }
}
