import { Injectable } from '@nestjs/common';
import { InvalidCursor, isId, newId, type Page, type PageRequest, type RequestContext, systemContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { type EventOrganization, UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { Session, type SessionImpersonator } from './session.entity.js';
import { SessionEndHandlers } from './session-end-handlers.js';
import {
  type Revocation,
  type SessionDetails,
  type SessionsAuthorization,
  SessionQuery,
  type SessionTimeouts,
} from './session.query.js';
import { SessionRepository } from './session.repository.js';
import { TokenHashQuery } from './token-hash.query.js';
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
  readonly identityProviderId?: string | null;
  readonly enrolmentOnly?: boolean;
  /** The address and the device of an impersonator are not stored, because the user sees them. */
  readonly impersonator?: SessionImpersonator;
  /** Seconds after which the session ends regardless of activity. Default: 30 days. */
  readonly lifetimeSeconds?: number;
}

/** Returns the idle timeout of a session in seconds. */
export type IdleTimeoutSecondsOf<T extends object = object> = (session: Session & T) => number | Promise<number>;

/**
 * Creates, authenticates and revokes sessions. Session tokens are opaque, have 256 random bits and are stored only as hashes (OWASP ASVS
 * 7.2).
 */
@Injectable()
export class SessionService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly sessionQuery: SessionQuery,
    private readonly tokenHashes: TokenHashQuery,
    private readonly newTokenHashes: TokenHashRepository,
    private readonly endHandlers: SessionEndHandlers,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates a session and returns the token, which is stored only as a hash. The IP address and the user agent come from the context. The
   * caller must have locked the user and checked the status, so that no concurrent request suspends the user.
   */
  async create(
    ctx: RequestContext,
    { user, organizationId, authenticationMethods, lifetimeSeconds = MAX_LIFETIME_SECONDS, ...options }: NewSession,
  ): Promise<{ session: Session; token: string }> {
    const { enrolmentOnly = false, identityProviderId = null, impersonator = null } = options;
    const now = this.work.now();
    const token = randomToken();
    const tokenHash = hashToken(token);
    const session = Object.assign(new Session(), {
      id: newId('session'),
      tenantId: user.tenantId,
      userId: user.id,
      organizationId,
      ipAddress: impersonator ? null : (ctx.ipAddress ?? null),
      userAgent: impersonator ? null : (ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null),
      tokenHash,
      authenticationMethods: [...authenticationMethods],
      identityProviderId,
      enrolmentOnly,
      impersonator,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      longestIdleSeconds: 0,
      expiresAt: new Date(now.getTime() + lifetimeSeconds * 1_000),
      revokedAt: null,
      revokedReason: null,
    } satisfies Session);
    const insert = async (ctx: RequestContext): Promise<void> => {
      this.sessions.insert(ctx, session);
      this.insertTokenHash(ctx, tokenHash, user, session.id);
    };
    // Within a transaction, the rows wait for its next statement.
    await (ctx.transaction ? insert(ctx) : this.work.run(ctx, insert));
    return { session, token };
  }

  /**
   * Returns the session of a token. Returns null if the token is unknown, or the session is revoked, expired or was idle for too long.
   * Reads the database each time, so that a revocation takes effect immediately. Doesn't check the user and the organization, which
   * `details` reads with the session.
   */
  async authenticate<T extends object>(
    token: string,
    idleTimeoutSecondsOf: IdleTimeoutSecondsOf<T>,
    details: SessionDetails<T>,
  ): Promise<(Session & T) | null> {
    if (!isTokenShaped(token)) return null;
    const ctx = systemContext('session-authentication');
    const session = await this.sessionQuery.findLiveByToken(ctx, hashToken(token), this.work.now(), details);
    return session && this.use(ctx, session, idleTimeoutSecondsOf);
  }

  /**
   * Same as `authenticate` for the id of a session of the user, when an OAuth client or an impersonator acts. Records no activity with
   * `isActivity: false`.
   */
  async authenticateById<T extends object>(
    user: UserKey,
    id: string,
    idleTimeoutSecondsOf: IdleTimeoutSecondsOf<T>,
    details: SessionDetails<T>,
    { isActivity = true } = {},
  ): Promise<(Session & T) | null> {
    const ctx = systemContext('session-authentication');
    const session = await this.sessionQuery.findLiveById(ctx, user, id, this.work.now(), details);
    return session && this.use(ctx, session, idleTimeoutSecondsOf, isActivity);
  }

  /** Returns the session if it was not idle for too long, and records the activity. */
  private async use<T extends object>(
    ctx: RequestContext,
    session: Session & T,
    idleTimeoutSecondsOf: IdleTimeoutSecondsOf<T>,
    isActivity = true,
  ): Promise<(Session & T) | null> {
    const now = this.work.now();
    const idleTimeoutMs = (await idleTimeoutSecondsOf(session)) * 1_000;
    const idleMs = now.getTime() - session.lastSeenAt.getTime();
    if (idleMs >= idleTimeoutMs) return null;
    // Writes at most once per minute, or more often if the idle timeout is short.
    const touchIntervalMs = Math.min(TOUCH_INTERVAL_MS, idleTimeoutMs / 10);
    if (isActivity && idleMs >= touchIntervalMs) {
      // The last use can be later than its record by up to one interval.
      const idleSeconds = Math.floor((idleMs - touchIntervalMs) / 1_000);
      session.longestIdleSeconds = Math.max(session.longestIdleSeconds, idleSeconds);
      await this.sessions.touch(ctx, session, now, new Date(now.getTime() - touchIntervalMs));
      session.lastSeenAt = now;
    }
    return session;
  }

  /**
   * Adds the method of a verified second factor to a session and sets `enrolmentOnly` to false. Returns a new token, which replaces the
   * previous token (OWASP ASVS 7.2.4). Returns null if the live session does not exist.
   * @throws Error outside a transaction, because the session must be changed with the verification of the factor
   */
  async addAuthenticationMethod(ctx: RequestContext, user: UserKey, sessionId: string, method: string): Promise<string | null> {
    if (!ctx.transaction) throw new Error('A session must be changed in the transaction that verifies the factor.');
    const token = randomToken();
    const tokenHash = hashToken(token);
    const change = { method, tokenHash, now: this.work.now() };
    const previous = await this.sessionQuery.addAuthenticationMethod(ctx, user, sessionId, change);
    if (!previous) return null;
    if (previous.tokenHash) await this.tokenHashes.delete(ctx, 'session', previous.tokenHash);
    else await this.tokenHashes.deleteOf(ctx, 'session', user.tenantId, [sessionId]);
    this.insertTokenHash(ctx, tokenHash, user, sessionId);
    return token;
  }

  /** Records that the user of a live session has reauthenticated. Returns the time of the reauthentication. */
  async recordReauthentication(ctx: RequestContext, user: UserKey, sessionId: string): Promise<Date> {
    const now = this.work.now();
    await this.sessions.recordAuthentication(ctx, user, sessionId, now);
    return now;
  }

  /** Returns the ids of the organizations in which the user has live sessions. */
  async listOrganizationIds(ctx: RequestContext, user: UserKey): Promise<string[]> {
    return this.sessionQuery.listOrganizationIds(ctx, user, this.work.now());
  }

  /**
   * Returns a page of the sessions of a user that are in use in the organizations of `timeouts`, newest first. @throws InvalidCursor (400)
   */
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
   * Revokes all live sessions of a user except the session `exceptId`, and publishes `security.session_revoked` for each session. Returns
   * the number of revoked sessions.
   * @throws Error outside a transaction, because the revocation must be committed with the change that causes the revocation
   */
  async revokeAll(
    ctx: RequestContext,
    user: UserKey,
    reason: string,
    eventOrganization: EventOrganization,
    authorization: SessionsAuthorization,
    { exceptId }: Pick<Revocation, 'exceptId'> = {},
  ): Promise<number> {
    if (!ctx.transaction) throw new Error('Sessions must be revoked in the transaction of the change that causes it.');
    return this.revokeAndPublish(
      ctx,
      user,
      { reason, ...(exceptId === undefined ? {} : { exceptId }) },
      eventOrganization,
      authorization,
    );
  }

  /** Revokes a live session of the user and publishes `security.session_revoked`. Returns false if the live session does not exist. */
  async revoke(
    ctx: RequestContext,
    user: UserKey,
    sessionId: string,
    reason: string,
    eventOrganization: EventOrganization,
    authorization: SessionsAuthorization,
  ): Promise<boolean> {
    return this.work.run(
      ctx,
      async (ctx) =>
        (await this.revokeAndPublish(ctx, user, { reason, onlyId: sessionId }, eventOrganization, authorization)) === 1,
    );
  }

  /**
   * Revokes a session for a sign-out. The caller publishes `user.logout`. Returns false if the live session does not exist.
   * @throws Error outside a transaction, because the revocation must be committed with the event
   */
  async signOut(ctx: RequestContext, user: UserKey, sessionId: string): Promise<boolean> {
    if (!ctx.transaction) throw new Error('A session must be revoked in the transaction that publishes the sign-out.');
    const revocation = { reason: 'signed_out', onlyId: sessionId };
    const revokedIds = await this.revokeLive(ctx, user, revocation, unneeded<'loss'>('own_account'));
    return revokedIds.length === 1;
  }

  /** Deletes all sessions and session token hashes of a user. Publishes no events. */
  async deleteAll(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const ids = await this.sessionQuery.deleteAll(ctx, user);
      await this.tokenHashes.deleteOf(ctx, 'session', user.tenantId, ids);
    });
  }

  private insertTokenHash(ctx: RequestContext, hash: Buffer, { tenantId }: UserKey, sessionId: string): void {
    this.newTokenHashes.insert(ctx, { hash, kind: 'session', tenantId, subjectId: sessionId });
  }

  private async revokeAndPublish(
    ctx: RequestContext,
    user: UserKey,
    revocation: Revocation,
    eventOrganization: EventOrganization,
    authorization: SessionsAuthorization,
  ): Promise<number> {
    const revokedIds = await this.revokeLive(ctx, user, revocation, authorization);
    for (const sessionId of revokedIds) {
      const data = { sessionId, userId: user.id, reason: revocation.reason };
      await this.work.publish(ctx, 'security.session_revoked', eventOrganization, data, { userId: user.id });
    }
    return revokedIds.length;
  }

  /** Revokes sessions and calls the handlers of their end. Returns the ids of the sessions. */
  private async revokeLive(
    ctx: RequestContext,
    user: UserKey,
    revocation: Revocation,
    authorization: SessionsAuthorization,
  ): Promise<string[]> {
    const revokedIds = await this.sessionQuery.revoke(ctx, user, revocation, this.work.now(), authorization);
    await this.endHandlers.run(ctx, user, revokedIds, revocation.reason);
    return revokedIds;
  }
}
