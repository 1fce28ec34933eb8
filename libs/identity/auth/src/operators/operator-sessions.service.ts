import { Injectable, Logger } from '@nestjs/common';
import { newId, type OperatorSession, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { OperatorLinkInvalid } from './operator-errors.js';
import { OperatorLinkRepository } from './operator-link.repository.js';
import { OperatorSessionQuery } from './operator-session.query.js';
import { OperatorSessionRepository } from './operator-session.repository.js';

const ABSOLUTE_LIFETIME_MS = 60 * 60_000;
const IDLE_TIMEOUT_MS = 20 * 60_000;

/** Distinguishes tokens of operators from session tokens of users, which contain no dot. */
const PREFIX = 'operator.';
const TOKEN = /^operator\.[\w-]{43}$/;

/**
 * Manages dashboard sessions of operators. A session has the permissions of a platform key. A session ends after an hour, or after 20
 * minutes without use.
 */
@Injectable()
export class OperatorSessionsService {
  private readonly logger = new Logger('OperatorSessions');

  constructor(
    private readonly operatorLinkRepository: OperatorLinkRepository,
    private readonly operatorSessionRepository: OperatorSessionRepository,
    private readonly operatorSessionQuery: OperatorSessionQuery,
    private readonly work: UnitOfWork,
  ) {}

  /** Creates a session and uses up the link. @throws OperatorLinkInvalid (401) */
  async create(ctx: RequestContext, linkToken: string): Promise<{ session: OperatorSession; token: string }> {
    const now = this.work.now();
    const session = { id: newId('operatorSession'), expiresAt: new Date(now.getTime() + ABSOLUTE_LIFETIME_MS) };
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
  async use(token: string): Promise<OperatorSession | null> {
    const now = this.work.now();
    const usedSince = new Date(now.getTime() - IDLE_TIMEOUT_MS);
    return this.operatorSessionQuery.use(systemContext(newId('request')), hashToken(token), now, usedSince);
  }

  async end(ctx: RequestContext, { id }: OperatorSession): Promise<void> {
    await this.operatorSessionRepository.delete(ctx, id);
  }
}
