import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { type OneTimePurpose, type OneTimeToken, OneTimeTokenService } from '#directory/sessions';
import { ThreatDetectionService } from '#platform/threats';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { LinkInvalid } from './link-errors.js';

/** The token of a valid link, and the user who received the link. */
export interface MailedLink {
  readonly token: OneTimeToken;
  readonly owner: UserWithOrganization;
}

/** Returns whether the link works for the current organization and user. */
export type IsLinkUsable = (link: MailedLink) => boolean;

/** Finds and uses up the links in emails. Each link works once. */
@Injectable()
export class MailedLinksService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
    private readonly threatDetection: ThreatDetectionService,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Returns a link without using up the link, because mail scanners also open links. @throws LinkInvalid (400) */
  async get(ctx: RequestContext, secret: string, purpose: OneTimePurpose, isUsable: IsLinkUsable): Promise<MailedLink> {
    const inspected = await this.oneTimeTokens.inspect(ctx, secret, purpose);
    if (!inspected) throw new LinkInvalid('unknown');
    const { token, state } = inspected;
    if (state !== 'valid') throw new LinkInvalid(state);
    const owner = await this.userActivation.find(ctx, { tenantId: token.tenantId, id: token.userId });
    if (!owner || !isUsable({ token, owner })) throw new LinkInvalid('unknown');
    return { token, owner };
  }

  /**
   * Uses up a link and runs `work` in one transaction, which locks the user of the link. The user is the actor. Only one of several
   * concurrent calls succeeds.
   * @throws LinkInvalid (400), and the errors of `work`
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
      // Every transaction locks the user before the token.
      const locked = await this.userActivation.lock(ctx, owner.user);
      const consumedToken = await this.oneTimeTokens.consume(ctx, secret, token.purpose);
      if (!consumedToken) throw new LinkInvalid((await this.findFailure(ctx, secret, token.purpose)) ?? 'unknown');
      if (!locked || !isUsable({ token: consumedToken, owner: locked })) throw new LinkInvalid('unknown');
      return work(ctx, { token: consumedToken, owner: locked });
    });
  }

  /** Runs `work`, which uses up a link. Reports a threat if the link was used before. @throws the errors of `work` */
  async reportReuse<T>(ctx: RequestContext, secret: string, purpose: OneTimePurpose, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LinkInvalid && error.failure === 'used') await this.report(ctx, secret, purpose);
      throw error;
    }
  }

  private async report(ctx: RequestContext, secret: string, purpose: OneTimePurpose): Promise<void> {
    const inspected = await this.oneTimeTokens.inspect(ctx, secret, purpose);
    const owner =
      inspected && (await this.userActivation.find(ctx, { tenantId: inspected.token.tenantId, id: inspected.token.userId }));
    if (!owner) return;
    const { id: userId } = owner.user;
    const signals = { userId, purpose, ipAddress: ctx.ipAddress ?? null, userAgent: ctx.userAgent ?? null };
    const threat = { rule: 'one_time_token_reused', riskLevel: 'low', subjectId: userId, signals, action: 'refused' } as const;
    await this.threatDetection.report(ctx, owner.managingOrganization, threat);
  }

  private async findFailure(ctx: RequestContext, secret: string, purpose: OneTimePurpose) {
    const state = (await this.oneTimeTokens.inspect(ctx, secret, purpose))?.state;
    return state === 'valid' ? undefined : state;
  }
}
