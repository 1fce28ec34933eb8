import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { type OneTimePurpose, type OneTimeToken, OneTimeTokenService } from '#directory/sessions';
import { ThreatDetectionService } from '#platform/threats';
import { UserActivationService, type UserAtHome } from '#directory/users';
import { LinkInvalid } from './link-errors.js';

/** A link that works, and the user whom it was sent to. */
export interface MailedLink {
  readonly token: OneTimeToken;
  readonly owner: UserAtHome;
}

/** Returns whether the link still works, although the user and the organization may have changed. */
export type IsLinkUsable = (link: MailedLink) => boolean;

/** Links in emails, which work once. */
@Injectable()
export class MailedLinksService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
    private readonly threatDetection: ThreatDetectionService,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Returns a link without using it up: mail scanners open links, too. @throws LinkInvalid (400) */
  async get(ctx: RequestContext, secret: string, purpose: OneTimePurpose, isUsable: IsLinkUsable): Promise<MailedLink> {
    const found = await this.oneTimeTokens.inspect(ctx, secret, purpose);
    if (!found) throw new LinkInvalid('unknown');
    const { token, state } = found;
    if (state !== 'valid') throw new LinkInvalid(state);
    const owner = await this.userActivation.find(ctx, { tenantId: token.tenantId, id: token.userId });
    if (!owner || !isUsable({ token, owner })) throw new LinkInvalid('unknown');
    return { token, owner };
  }

  /**
   * Uses a link up and runs `work` in the same transaction, as the user whom it was sent to and with the user locked. Of several concurrent
   * calls with the same link only one succeeds.
   * @throws LinkInvalid (400), and errors of `work`
   */
  async use<T>(
    ctx: RequestContext,
    { token, owner }: MailedLink,
    secret: string,
    isUsable: IsLinkUsable,
    work: (ctx: RequestContext, link: MailedLink) => Promise<T>,
  ): Promise<T> {
    const { id, email } = owner.user;
    return this.transactions.run({ ...ctx, actor: { type: 'user', id, email } }, async (ctx) => {
      // First the user, then the token: all transactions lock them in this order.
      const locked = await this.userActivation.lock(ctx, owner.user);
      const consumed = await this.oneTimeTokens.consume(ctx, secret, token.purpose);
      if (!consumed) throw new LinkInvalid((await this.findFailure(ctx, secret, token.purpose)) ?? 'unknown');
      if (!locked || !isUsable({ token: consumed, owner: locked })) throw new LinkInvalid('unknown');
      return work(ctx, { token: consumed, owner: locked });
    });
  }

  /** Runs `work`, which uses a link up, and reports a threat when the link was used before. @throws errors of `work` */
  async reportReuse<T>(ctx: RequestContext, secret: string, purpose: OneTimePurpose, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LinkInvalid && error.failure === 'used') await this.report(ctx, secret, purpose);
      throw error;
    }
  }

  private async report(ctx: RequestContext, secret: string, purpose: OneTimePurpose): Promise<void> {
    const found = await this.oneTimeTokens.inspect(ctx, secret, purpose);
    const owner = found && (await this.userActivation.find(ctx, { tenantId: found.token.tenantId, id: found.token.userId }));
    if (!owner) return;
    const { id: userId } = owner.user;
    const signals = { userId, purpose, ipAddress: ctx.ipAddress ?? null, userAgent: ctx.userAgent ?? null };
    const threat = { rule: 'one_time_token_reused', riskLevel: 'low', subjectId: userId, signals, action: 'refused' } as const;
    await this.threatDetection.report(ctx, owner.home, threat);
  }

  private async findFailure(ctx: RequestContext, secret: string, purpose: OneTimePurpose) {
    const state = (await this.oneTimeTokens.inspect(ctx, secret, purpose))?.state;
    return state === 'valid' ? undefined : state;
  }
}
