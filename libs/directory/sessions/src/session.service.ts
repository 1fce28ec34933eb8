import { Injectable } from '@nestjs/common';
import { InvalidCursor, isId, newId, type Page, type PageRequest, type RequestContext, systemContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { type EventOrganization, UnitOfWork } from '#platform/events';
import { Session } from './session.entity.js';
import { type RevocationScope, SessionQuery, type SessionTimeouts } from './session.query.js';
import { SessionRepository } from './session.repository.js';
import { TokenHashRepository } from './token-hash.repository.js';
import { isTokenShaped } from './token-shape.js';
import type { UserKey } from './user-key.js';

const MAX_LIFETIME_SECONDS = 30 * 24 * 3_600;
const TOUCH_INTERVAL_MS = 60_000;
const MAX_USER_AGENT_LENGTH = 512;

export interface NewSession {
  readonly user: UserKey;
  readonly organizationId: string;
  readonly authenticationMethods: readonly string[];
  readonly enrolmentOnly?: boolean;
  /** After how many seconds it ends at the latest; 30 days if not given. */
  readonly lifetimeSeconds?: number;
}

/** Says after how many seconds without use a session is over: the setting of the organization that was signed in to. */
export type IdleTimeoutSecondsOf = (session: Session) => number | Promise<number>;

/** Sessions of signed-in users: opaque 256-bit tokens, of which only the hash is stored (OWASP ASVS 7.2). No sign-in logic. */
@Injectable()
export class SessionService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly sessionQuery: SessionQuery,
    private readonly tokenHashes: TokenHashRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Opens a session; the token is shown this once. Address and device come from the context.
   * Whoever calls it has locked the user's row and found it active, so that no suspension slips in between.
   */
  async create(
    ctx: RequestContext,
    { user, organizationId, authenticationMethods, enrolmentOnly = false, lifetimeSeconds = MAX_LIFETIME_SECONDS }: NewSession,
  ): Promise<{ session: Session; token: string }> {
    const now = this.work.now();
    const token = randomToken();
    const session = Object.assign(new Session(), {
      id: newId('session'),
      tenantId: user.tenantId,
      userId: user.id,
      organizationId,
      ipAddress: ctx.ipAddress ?? null,
      userAgent: ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      authenticationMethods: [...authenticationMethods],
      enrolmentOnly,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + lifetimeSeconds * 1_000),
      revokedAt: null,
      revokedReason: null,
    } satisfies Session);
    return this.work.run(ctx, async (ctx) => {
      this.sessions.insert(ctx, session);
      this.insertTokenHash(ctx, token, user, session.id);
      return { session, token };
    });
  }

  /**
   * The live session behind a token; null when unknown, revoked, past its absolute end or idle for too long. Read from the database
   * each time, so that a revocation holds at once everywhere. Whether user and organization may still be served is decided elsewhere.
   */
  async authenticate(token: string, idleTimeoutSecondsOf: IdleTimeoutSecondsOf): Promise<Session | null> {
    if (!isTokenShaped(token)) return null;
    const ctx = systemContext('session-authentication');
    const now = this.work.now();
    const session = await this.sessionQuery.findLiveByToken(ctx, hashToken(token), now);
    if (!session) return null;

    const idleTimeoutMs = (await idleTimeoutSecondsOf(session)) * 1_000;
    const idleMs = now.getTime() - session.lastSeenAt.getTime();
    if (idleMs >= idleTimeoutMs) return null;
    // One write a minute; more often where a minute would be a large part of the timeout and end sessions that are in use.
    const touchIntervalMs = Math.min(TOUCH_INTERVAL_MS, idleTimeoutMs / 10);
    if (idleMs >= touchIntervalMs) {
      await this.sessions.touch(ctx, session, now, new Date(now.getTime() - touchIntervalMs));
      session.lastSeenAt = now;
    }
    return session;
  }

  /**
   * Notes that the user of a session has proven a second factor, which makes it a full one, and gives it a new token: the old one is
   * worth nothing any more (OWASP ASVS 7.2.4). Null when there is no such live session.
   * @throws Error outside a transaction, since it belongs to the change that was proven.
   */
  async addAuthenticationMethod(ctx: RequestContext, user: UserKey, sessionId: string, method: string): Promise<string | null> {
    if (!ctx.transaction) throw new Error('A session must be strengthened in the transaction that verifies the factor.');
    if (!(await this.sessionQuery.addAuthenticationMethod(ctx, user, sessionId, method, this.work.now()))) return null;
    const token = randomToken();
    await this.tokenHashes.deleteOf(ctx, 'session', user.tenantId, [sessionId]);
    this.insertTokenHash(ctx, token, user, sessionId);
    return token;
  }

  /** Notes that the user of a live session has proven again who they are. */
  async recordReauthentication(ctx: RequestContext, user: UserKey, sessionId: string): Promise<Date> {
    const now = this.work.now();
    await this.sessions.recordAuthentication(ctx, user, sessionId, now);
    return now;
  }

  /** The organizations in which the user has live sessions: their settings say which of those have been idle for too long. */
  async listOrganizationIds(ctx: RequestContext, user: UserKey): Promise<string[]> {
    return this.sessionQuery.listOrganizationIds(ctx, user, this.work.now());
  }

  /** A user's sessions that still work in the organizations named, newest first. @throws InvalidCursor (400) */
  async list(
    ctx: RequestContext,
    user: UserKey,
    timeouts: readonly SessionTimeouts[],
    request: PageRequest,
  ): Promise<Page<Session>> {
    if (request.after !== undefined && !isId('session', request.after)) throw new InvalidCursor('session');
    return this.sessionQuery.listInUse(ctx, user, this.work.now(), timeouts, request);
  }

  /**
   * Ends all of a user's live sessions (but `exceptId`, if given), publishes `security.session_revoked` for each, and gives their number.
   * @throws Error outside a transaction, since it belongs to the change that is its reason.
   */
  async revokeAll(
    ctx: RequestContext,
    user: UserKey,
    reason: string,
    eventOrganization: EventOrganization,
    { exceptId }: Pick<RevocationScope, 'exceptId'> = {},
  ): Promise<number> {
    if (!ctx.transaction) throw new Error('Sessions must be revoked in the transaction of the change that causes it.');
    return this.revokeAndPublish(ctx, user, reason, eventOrganization, exceptId === undefined ? {} : { exceptId });
  }

  /** Ends one live session of the user and publishes `security.session_revoked`; false when there is no such session. */
  async revoke(
    ctx: RequestContext,
    user: UserKey,
    sessionId: string,
    reason: string,
    eventOrganization: EventOrganization,
  ): Promise<boolean> {
    return this.work.run(
      ctx,
      async (ctx) => (await this.revokeAndPublish(ctx, user, reason, eventOrganization, { onlyId: sessionId })) === 1,
    );
  }

  /** Ends one session because its user signed out: the caller publishes `user.logout`. False when there is no such live session. */
  async signOut(ctx: RequestContext, user: UserKey, sessionId: string): Promise<boolean> {
    const ended = await this.sessionQuery.revoke(ctx, user, 'signed_out', this.work.now(), { onlyId: sessionId });
    return ended.length === 1;
  }

  /** Removes every trace of a user's sessions, for a permanent deletion; publishes nothing. */
  async deleteAll(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const ids = await this.sessionQuery.deleteAll(ctx, user);
      await this.tokenHashes.deleteOf(ctx, 'session', user.tenantId, ids);
    });
  }

  private insertTokenHash(ctx: RequestContext, token: string, { tenantId }: UserKey, sessionId: string): void {
    this.tokenHashes.insert(ctx, { hash: hashToken(token), kind: 'session', tenantId, subjectId: sessionId });
  }

  private async revokeAndPublish(
    ctx: RequestContext,
    user: UserKey,
    reason: string,
    eventOrganization: EventOrganization,
    scope: RevocationScope,
  ): Promise<number> {
    const ended = await this.sessionQuery.revoke(ctx, user, reason, this.work.now(), scope);
    for (const sessionId of ended) {
      const about = { sessionId, userId: user.id, reason };
      await this.work.publish(ctx, 'security.session_revoked', eventOrganization, about, { userId: user.id });
    }
    return ended.length;
  }
}
