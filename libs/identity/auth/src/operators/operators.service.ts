import { Injectable, Logger } from '@nestjs/common';
import { newId, type OperatorSession, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { Forbidden } from '../access/access-errors.js';
import { InstallationQuery } from './installation.query.js';
import { OperatorLinkInvalid } from './operator-errors.js';
import type { OperatorLink } from './operator-link.entity.js';
import { OperatorLinkRepository } from './operator-link.repository.js';
import { OperatorSessionQuery } from './operator-session.query.js';
import { OperatorSessionRepository } from './operator-session.repository.js';

const LINK_LIFETIME_MS = 60 * 60_000;
const SESSION_LIFETIME_MS = 60 * 60_000;
const SESSION_IDLE_TIMEOUT_MS = 20 * 60_000;

/** Distinguishes tokens of operators from session tokens of users, which contain no dot. */
const PREFIX = 'operator.';
const TOKEN = /^operator\.[\w-]{43}$/;

/** A new link to the dashboard, with the token, which is not stored. */
export interface IssuedOperatorLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Returns the path of the page that uses the token. Browsers don't send the fragment, so no log contains the token. */
export const operatorLinkPath = ({ token }: IssuedOperatorLink): string => `/dashboard/getting-started#token=${token}`;

/**
 * Creates links that open the dashboard for an operator once, within an hour, and manages the sessions that the links open. A session has the
 * permissions of a platform key, and ends after an hour, or after 20 minutes without use. Tokens have 256 random bits. Only their hashes are
 * stored.
 */
@Injectable()
export class OperatorsService {
  private readonly logger = new Logger('OperatorSessions');

  constructor(
    private readonly operatorLinkRepository: OperatorLinkRepository,
    private readonly operatorSessionRepository: OperatorSessionRepository,
    private readonly operatorSessionQuery: OperatorSessionQuery,
    private readonly installation: InstallationQuery,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates the link in the welcome message. Returns undefined if an organization exists, or if the first start was more than an hour ago.
   * Otherwise, each restart of an unused service would log a new link.
   */
  async createLinkAtStart(): Promise<IssuedOperatorLink | undefined> {
    const ctx = systemContext(newId('request'));
    if (!(await this.installation.isEmpty(ctx))) return undefined;
    const now = this.work.now();
    const firstStart = (await this.operatorLinkRepository.findFirstStart(ctx)) ?? now;
    const expiresAt = new Date(firstStart.getTime() + LINK_LIFETIME_MS);
    return expiresAt > now ? this.createLink(ctx, 'first_start', now, expiresAt) : undefined;
  }

  /**
   * Creates a link for a platform key.
   * @throws Forbidden (403) for other callers. An operator could otherwise extend the access indefinitely.
   */
  async requestLink(ctx: RequestContext): Promise<IssuedOperatorLink> {
    if (ctx.caller.kind !== 'platform' || ctx.operatorSession)
      throw new Forbidden('Only a platform key can create links to the dashboard.');
    const now = this.work.now();
    return this.createLink(ctx, 'request', now, new Date(now.getTime() + LINK_LIFETIME_MS));
  }

  /** Creates a session and uses up the link. @throws OperatorLinkInvalid (401) */
  async createSession(ctx: RequestContext, linkToken: string): Promise<{ session: OperatorSession; token: string }> {
    const now = this.work.now();
    const session = { id: newId('operatorSession'), expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS) };
    const token = PREFIX + randomToken();
    await this.work.run(ctx, async (ctx) => {
      if (!(await this.operatorLinkRepository.use(ctx, hashToken(linkToken), now))) throw new OperatorLinkInvalid();
      await this.operatorSessionRepository.insert(ctx, {
        ...session,
        tokenHash: hashToken(token),
        createdAt: now,
        lastSeenAt: now,
      });
    });
    // The sign-in is logged instead of published, because every event belongs to an organization.
    this.logger.log(`The operator session ${session.id} started from ${ctx.ipAddress ?? 'an unknown address'}.`);
    return { session, token };
  }

  isOperatorToken(token: string): boolean {
    return TOKEN.test(token);
  }

  /** Records the use of a session. Returns the session, or null if the session has ended or does not exist. */
  async useSession(token: string): Promise<OperatorSession | null> {
    const now = this.work.now();
    const usedSince = new Date(now.getTime() - SESSION_IDLE_TIMEOUT_MS);
    return this.operatorSessionQuery.use(systemContext(newId('request')), hashToken(token), now, usedSince);
  }

  async endSession(ctx: RequestContext, { id }: OperatorSession): Promise<void> {
    await this.operatorSessionRepository.delete(ctx, id);
  }

  private async createLink(
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
