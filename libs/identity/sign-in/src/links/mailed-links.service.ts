import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { type OneTimePurpose, type OneTimeToken, OneTimeTokenService } from '#directory/sessions';
import { ThreatDetectionService } from '#platform/threats';
import { UserActivationService, type UserAtHome } from '#directory/users';
import { LinkInvalid } from './link-errors.js';

/** A link that works, with whom it was sent to. */
export interface MailedLink {
  readonly token: OneTimeToken;
  readonly owner: UserAtHome;
}

/** Whether user and organization are still what the link was sent for. */
export type StillMeant = (link: MailedLink) => boolean;

/** Links that were sent by mail and work once. */
@Injectable()
export class MailedLinksService {
  constructor(
    private readonly tokens: OneTimeTokenService,
    private readonly users: UserActivationService,
    private readonly threats: ThreatDetectionService,
    private readonly transactions: TransactionRunner,
  ) {}

  /** What a link is for, without using it. @throws LinkInvalid (400) */
  async look(ctx: RequestContext, token: string, purpose: OneTimePurpose, stillMeant: StillMeant): Promise<MailedLink> {
    const found = await this.tokens.inspect(ctx, token, purpose);
    if (!found) throw new LinkInvalid('unknown');
    if (found.state !== 'valid') throw new LinkInvalid(found.state);
    const owner = await this.users.find(ctx, { tenantId: found.token.tenantId, id: found.token.userId });
    if (!owner || !stillMeant({ token: found.token, owner })) throw new LinkInvalid('unknown');
    return { token: found.token, owner };
  }

  /**
   * Uses a link up together with what it permits, done as its owner, whose row is held. Of several at once with the same link, one wins.
   * Tells when a link comes that was used before.
   * @throws LinkInvalid (400), and whatever the work throws
   */
  async use<T>(
    ctx: RequestContext,
    { token, owner }: MailedLink,
    secret: string,
    stillMeant: StillMeant,
    work: (ctx: RequestContext, link: MailedLink) => Promise<T>,
  ): Promise<T> {
    const { id, email } = owner.user;
    return this.transactions.run({ ...ctx, actor: { type: 'user', id, email } }, async (ctx) => {
      // The user first, then the token: the order in which all take them.
      const locked = await this.users.lock(ctx, owner.user);
      const consumed = await this.tokens.consume(ctx, secret, token.purpose);
      if (!consumed) throw new LinkInvalid((await this.stateOf(ctx, secret, token.purpose)) ?? 'unknown');
      if (!locked || !stillMeant({ token: consumed, owner: locked })) throw new LinkInvalid('unknown');
      return work(ctx, { token: consumed, owner: locked });
    });
  }

  /** Runs what uses a link, and tells when that link was used before. @throws whatever the work throws */
  async watched<T>(ctx: RequestContext, secret: string, purpose: OneTimePurpose, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LinkInvalid && error.failure === 'used') await this.tellOfReuse(ctx, secret, purpose);
      throw error;
    }
  }

  private async tellOfReuse(ctx: RequestContext, secret: string, purpose: OneTimePurpose): Promise<void> {
    const found = await this.tokens.inspect(ctx, secret, purpose);
    const owner = found && (await this.users.find(ctx, { tenantId: found.token.tenantId, id: found.token.userId }));
    if (!owner) return;
    const { id: userId } = owner.user;
    const signals = { userId, purpose, ipAddress: ctx.ipAddress ?? null, userAgent: ctx.userAgent ?? null };
    const threat = { rule: 'one_time_token_reused', riskLevel: 'low', subjectId: userId, signals, action: 'refused' } as const;
    await this.threats.report(ctx, owner.home, threat);
  }

  private async stateOf(ctx: RequestContext, secret: string, purpose: OneTimePurpose) {
    const state = (await this.tokens.inspect(ctx, secret, purpose))?.state;
    return state === 'valid' ? undefined : state;
  }
}
