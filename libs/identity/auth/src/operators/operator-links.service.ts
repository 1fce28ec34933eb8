import { Injectable } from '@nestjs/common';
import { newId, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { Forbidden } from '../access/access-errors.js';
import { InstallationQuery } from './installation.query.js';
import type { OperatorLink } from './operator-link.entity.js';
import { OperatorLinkRepository } from './operator-link.repository.js';
import { OperatorSessionRepository } from './operator-session.repository.js';

const LIFETIME_MS = 60 * 60_000;

/** A new link to the dashboard, with the token, which is not stored. */
export interface IssuedOperatorLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Returns the path of the page that uses the token. Browsers don't send the fragment, so no log contains the token. */
export const operatorLinkPath = ({ token }: IssuedOperatorLink): string => `/dashboard/getting-started#token=${token}`;

/** Creates links that open the dashboard for an operator once, within an hour. The token has 256 random bits. Only its hash is stored. */
@Injectable()
export class OperatorLinksService {
  constructor(
    private readonly operatorLinkRepository: OperatorLinkRepository,
    private readonly operatorSessionRepository: OperatorSessionRepository,
    private readonly installation: InstallationQuery,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates the link in the welcome message. Returns undefined if an organization exists, or if the first start was more than an hour ago.
   * Otherwise, each restart of an unused service would log a new link.
   */
  async createAtStart(): Promise<IssuedOperatorLink | undefined> {
    const ctx = systemContext(newId('request'));
    if (!(await this.installation.isEmpty(ctx))) return undefined;
    const now = this.work.now();
    const firstStart = (await this.operatorLinkRepository.findFirstStart(ctx)) ?? now;
    const expiresAt = new Date(firstStart.getTime() + LIFETIME_MS);
    return expiresAt > now ? this.create(ctx, 'first_start', now, expiresAt) : undefined;
  }

  /**
   * Creates a link for a platform key.
   * @throws Forbidden (403) for other callers. An operator could otherwise extend the access indefinitely.
   */
  async request(ctx: RequestContext): Promise<IssuedOperatorLink> {
    if (ctx.caller.kind !== 'platform' || ctx.operatorSession)
      throw new Forbidden('Only a platform key can create links to the dashboard.');
    const now = this.work.now();
    return this.create(ctx, 'request', now, new Date(now.getTime() + LIFETIME_MS));
  }

  private async create(
    ctx: RequestContext,
    origin: OperatorLink['origin'],
    createdAt: Date,
    expiresAt: Date,
  ): Promise<IssuedOperatorLink> {
    const token = randomToken();
    await this.work.run(ctx, async (ctx) => {
      await this.operatorLinkRepository.deleteExpired(ctx, createdAt);
      await this.operatorSessionRepository.deleteExpired(ctx, createdAt);
      await this.operatorLinkRepository.insert(ctx, { tokenHash: hashToken(token), origin, createdAt, expiresAt, usedAt: null });
    });
    return { token, expiresAt };
  }
}
