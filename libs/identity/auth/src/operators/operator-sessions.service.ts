import { Injectable, Logger } from '@nestjs/common';
import { newId, type OperatorSession, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { OperatorAccessRepository } from './operator-access.repository.js';
import { OperatorLinkInvalid } from './operator-errors.js';

const ABSOLUTE_LIFETIME_MS = 60 * 60_000;
const IDLE_TIMEOUT_MS = 20 * 60_000;

/** Tells these tokens from those of users' sessions, which are 43 characters without a dot. */
const PREFIX = 'operator.';
const TOKEN = /^operator\.[\w-]{43}$/;

/** Sessions with all that a platform key may do, for the dashboard alone: an hour at most, 20 minutes without use, no renewal. */
@Injectable()
export class OperatorSessionsService {
  private readonly logger = new Logger('OperatorSessions');

  constructor(
    private readonly rows: OperatorAccessRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** Takes the token of a link, which is used up. @throws OperatorLinkInvalid (401) */
  async begin(ctx: RequestContext, linkToken: string): Promise<{ session: OperatorSession; token: string }> {
    const now = this.work.now();
    const session = { id: newId('operatorSession'), expiresAt: new Date(now.getTime() + ABSOLUTE_LIFETIME_MS) };
    const token = PREFIX + randomToken();
    await this.work.run(ctx, async (ctx) => {
      if (!(await this.rows.useLink(ctx, hashToken(linkToken), now))) throw new OperatorLinkInvalid();
      await this.rows.insertSession(ctx, session, hashToken(token), now);
    });
    // There is no organization yet whose event it could be.
    this.logger.log(`The operator session ${session.id} started from ${ctx.ipAddress ?? 'an unknown address'}.`);
    return { session, token };
  }

  /** Whether a token is of this kind, of whatever session. */
  knows(token: string): boolean {
    return TOKEN.test(token);
  }

  /** Null when the session is over or never was. Counts as use of it. */
  async find(token: string): Promise<OperatorSession | null> {
    const now = this.work.now();
    const seenSince = new Date(now.getTime() - IDLE_TIMEOUT_MS);
    return this.rows.useSession(systemContext(newId('request')), hashToken(token), now, seenSince);
  }

  async end(ctx: RequestContext, { id }: OperatorSession): Promise<void> {
    await this.rows.removeSession(ctx, id);
  }
}
