import { Injectable } from '@nestjs/common';
import { newId, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { Forbidden } from '../access/access-errors.js';
import { Installation } from './installation.read.js';
import { type LinkOrigin, OperatorAccessRepository } from './operator-access.repository.js';

const LIFETIME_MS = 60 * 60_000;

/** What a link to the dashboard is made of. */
export interface OperatorLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The path of the page that takes the token. It stands in the fragment, which browsers send to nobody and no log has. */
export const operatorLinkPath = ({ token }: OperatorLink): string => `/dashboard/first-hour#token=${token}`;

/** Links that let an operator into the dashboard, each once and for an hour: 256 random bits, stored as a hash. */
@Injectable()
export class OperatorLinksService {
  constructor(
    private readonly rows: OperatorAccessRepository,
    private readonly installation: Installation,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * For a start to show. None once there is an organization, nor when the first start lies back more than an hour: a service that is left
   * unused must not go on giving such links to whoever reads its log.
   */
  async first(): Promise<OperatorLink | undefined> {
    const ctx = systemContext(newId('request'));
    if (!(await this.installation.isEmpty(ctx))) return undefined;
    const now = this.work.now();
    const firstStart = (await this.rows.firstStart(ctx)) ?? now;
    const expiresAt = new Date(firstStart.getTime() + LIFETIME_MS);
    return expiresAt > now ? this.make(ctx, 'first_start', now, expiresAt) : undefined;
  }

  /** For a platform key that asks. @throws Forbidden (403) for any other caller, operators' sessions among them: they would never end */
  async request(ctx: RequestContext): Promise<OperatorLink> {
    if (ctx.caller.kind !== 'platform' || ctx.operatorSession)
      throw new Forbidden('Only a platform key can create links to the dashboard.');
    const now = this.work.now();
    return this.make(ctx, 'request', now, new Date(now.getTime() + LIFETIME_MS));
  }

  private async make(ctx: RequestContext, origin: LinkOrigin, now: Date, expiresAt: Date): Promise<OperatorLink> {
    const token = randomToken();
    await this.work.run(ctx, async (ctx) => {
      await this.rows.removeExpired(ctx, now);
      await this.rows.insertLink(ctx, hashToken(token), origin, now, expiresAt);
    });
    return { token, expiresAt };
  }
}
