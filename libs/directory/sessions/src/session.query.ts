import { Injectable } from '@nestjs/common';
import { offsetOf, type Page, pageOf, type PageRequest, type RequestContext } from '#platform/common';
import { BaseQuery, column, joinedRow, row, type RowOf, type RowType } from '#platform/database';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { LossAuthorization, SignInAuthorization } from '#directory/privileges';
import type { Session, SessionImpersonator } from './session.entity.js';
import { TokenHashQuery, type TokenSubject } from './token-hash.query.js';
import type { UserKey } from './user-key.js';

export interface SessionTimeouts {
  readonly organizationId: string;
  /** Seconds without activity after which a session ends. */
  readonly timeoutSeconds: number;
  /** Seconds from the sign-in to the end of a session, regardless of activity. */
  readonly lifetimeSeconds: number;
}

/** The sessions that a revocation affects: only one session, or all sessions except one. */
/** A change of the sign-in, which asks for more than the end of sessions, can also end sessions. */
export type SessionsAuthorization = LossAuthorization | SignInAuthorization;

/** The sessions to revoke, and why. */
export interface Revocation {
  readonly reason: string;
  readonly onlyId?: string;
  readonly exceptId?: string;
}

/** What a read of a session `s` also reads of its user. $1 is the tenant. The placeholders of `values` begin with `$5`. */
export interface SessionDetails<T extends object> {
  readonly row: RowType<T>;
  readonly columns: string;
  readonly joins: string;
  readonly values: readonly unknown[];
}

const ID_ROW = row({ id: column.text() });
const PREVIOUS_HASH_ROW = row({ tokenHash: column.nullable(column.bytes()) });
const CACHED_KEYS = 10_000;
/** Limits for how long a token is accepted that a process of an earlier release replaced during an upgrade. */
const KEY_TTL_MS = 60_000;
const LOOKUP = { prepared: true, connection: 'shared' } as const;

const COUNTS_ROW = row({ total: column.integer(), preceding: column.integer() });

const SESSION_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  userId: column.text(),
  organizationId: column.text(),
  ipAddress: column.nullable(column.text()),
  userAgent: column.nullable(column.text()),
  tokenHash: column.nullable(column.bytes()),
  authenticationMethods: column.arrayOf(column.text()),
  identityProviderId: column.nullable(column.text()),
  enrolmentOnly: column.boolean(),
  impersonator: column.nullable(column.json<SessionImpersonator>()),
  createdAt: column.timestamp(),
  authenticatedAt: column.timestamp(),
  lastSeenAt: column.timestamp(),
  longestIdleSeconds: column.integer(),
  expiresAt: column.timestamp(),
  revokedAt: column.nullable(column.timestamp()),
  revokedReason: column.nullable(column.text()),
});

const COLUMNS = `s.id, s.tenant_id AS "tenantId", s.user_id AS "userId", s.organization_id AS "organizationId",
  s.ip_address AS "ipAddress", s.user_agent AS "userAgent", s.token_hash AS "tokenHash", s.authentication_methods AS "authenticationMethods",
  s.identity_provider_id AS "identityProviderId", s.enrolment_only AS "enrolmentOnly", s.impersonator, s.created_at AS "createdAt", s.authenticated_at AS "authenticatedAt",
  s.last_seen_at AS "lastSeenAt", s.longest_idle_seconds AS "longestIdleSeconds", s.revoked_at AS "revokedAt", s.revoked_reason AS "revokedReason"`;

/** Whether the identity provider of the sign-in is enabled. A user belongs to the tenant of the provider. */
const PROVIDER_IS_ENABLED = `(s.identity_provider_id IS NULL OR EXISTS (SELECT FROM identity_providers p
  WHERE p.tenant_id = $1 AND p.id = s.identity_provider_id AND p.enabled))`;

/**
 * Selects the sessions of user $2 of tenant $1 that are not revoked, expired or idle for too long at time $3. $4 are organization ids. $5
 * and $6 are the idle timeouts and lifetimes in each organization, in seconds.
 */
const IN_USE = `FROM sessions s JOIN unnest($4::text[], $5::float8[], $6::float8[]) AS t (organization_id, timeout_seconds, lifetime_seconds)
    ON t.organization_id = s.organization_id
  WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3::timestamptz
    AND s.last_seen_at > $3::timestamptz - make_interval(secs => t.timeout_seconds)
    AND s.created_at > $3::timestamptz - make_interval(secs => t.lifetime_seconds) AND ${PROVIDER_IS_ENABLED}`;

/** Finds and revokes sessions. A live session is neither revoked nor expired. */
@Injectable()
export class SessionQuery extends BaseQuery {
  /** The keys of sessions by token hash. A token never belongs to another session. */
  private readonly keys = new LRUCache<string, TokenSubject>({ max: CACHED_KEYS, ttl: KEY_TTL_MS });

  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Returns the live session of a token with the details. Returns null if the session is not live or the joins of the details find no row. */
  async findLiveByToken<T extends object>(
    ctx: RequestContext,
    tokenHash: Buffer,
    now: Date,
    details: SessionDetails<T>,
  ): Promise<(Session & T) | null> {
    const key = await this.findKey(ctx, tokenHash);
    if (!key) return null;
    // Another token can have replaced the token since its key was read.
    const [session] = await this.query(
      ctx,
      joinedRow<Session, T>(SESSION_ROW, details.row),
      `SELECT ${COLUMNS}, s.expires_at AS "expiresAt"${details.columns} FROM sessions s${details.joins}
       WHERE s.tenant_id = $1 AND s.id = $2 AND (s.token_hash = $3 OR s.token_hash IS NULL) AND s.revoked_at IS NULL AND s.expires_at > $4
         AND ${PROVIDER_IS_ENABLED}`,
      [key.tenantId, key.id, tokenHash, now, ...details.values],
      LOOKUP,
    );
    return session ?? null;
  }

  /** Same as `findLiveByToken` for the id of a session of the user. */
  async findLiveById<T extends object>(
    ctx: RequestContext,
    user: UserKey,
    id: string,
    now: Date,
    details: SessionDetails<T>,
  ): Promise<(Session & T) | null> {
    const [session] = await this.query(
      ctx,
      joinedRow<Session, T>(SESSION_ROW, details.row),
      `SELECT ${COLUMNS}, s.expires_at AS "expiresAt"${details.columns} FROM sessions s${details.joins}
       WHERE s.tenant_id = $1 AND s.id = $2 AND s.user_id = $3 AND s.revoked_at IS NULL AND s.expires_at > $4
         AND ${PROVIDER_IS_ENABLED}`,
      [user.tenantId, id, user.id, now, ...details.values],
      LOOKUP,
    );
    return session ?? null;
  }

  async listOrganizationIds(ctx: RequestContext, user: UserKey, now: Date): Promise<string[]> {
    const rows = await this.query(
      ctx,
      ID_ROW,
      `SELECT DISTINCT organization_id AS id FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3`,
      [user.tenantId, user.id, now],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns a page of the sessions of a user that are in use in the organizations of `timeouts`, newest first. */
  async listInUse(
    ctx: RequestContext,
    user: UserKey,
    now: Date,
    timeouts: readonly SessionTimeouts[],
    request: PageRequest,
  ): Promise<Page<Session>> {
    const parameters = [
      user.tenantId,
      user.id,
      now,
      timeouts.map(({ organizationId }) => organizationId),
      timeouts.map(({ timeoutSeconds }) => timeoutSeconds),
      timeouts.map(({ lifetimeSeconds }) => lifetimeSeconds),
      request.after ?? null,
    ];
    const sessions = await this.query(
      ctx,
      SESSION_ROW,
      `SELECT ${COLUMNS}, least(s.expires_at, s.created_at + make_interval(secs => t.lifetime_seconds)) AS "expiresAt"
       ${IN_USE} AND ($7::text IS NULL OR s.id < $7) ORDER BY s.id DESC LIMIT $8 OFFSET $9`,
      [...parameters, request.limit + 1, offsetOf(request)],
    );
    const [counts = { total: 0, preceding: 0 }] = await this.query(
      ctx,
      COUNTS_ROW,
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE s.id >= $7::text)::int AS preceding ${IN_USE}`,
      parameters,
    );
    return pageOf(request, sessions, counts.total, request.after === undefined ? offsetOf(request) : counts.preceding);
  }

  /**
   * Adds an authentication method to a live session, replaces its token and sets `enrolmentOnly` to false. Returns the hash of the previous
   * token, or undefined if the live session does not exist.
   */
  async addAuthenticationMethod(
    ctx: RequestContext,
    user: UserKey,
    id: string,
    { method, tokenHash, now }: { readonly method: string; readonly tokenHash: Buffer; readonly now: Date },
  ): Promise<RowOf<typeof PREVIOUS_HASH_ROW> | undefined> {
    const [previous] = await this.query(
      ctx,
      PREVIOUS_HASH_ROW,
      `UPDATE sessions s SET authentication_methods = array_append(array_remove(s.authentication_methods, $4), $4), enrolment_only = false,
         token_hash = $5
       FROM (SELECT id, token_hash FROM sessions WHERE tenant_id = $1 AND id = $3 FOR UPDATE) previous
       WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.id = $3 AND previous.id = s.id AND s.revoked_at IS NULL AND s.expires_at > $6
       RETURNING previous.token_hash AS "tokenHash"`,
      [user.tenantId, user.id, id, method, tokenHash, now],
    );
    return previous;
  }

  /** Revokes live sessions of a user. Returns the ids of the revoked sessions, oldest first. */
  async revoke(
    ctx: RequestContext,
    user: UserKey,
    { reason, onlyId, exceptId }: Revocation,
    now: Date,
    _authorization: SessionsAuthorization,
  ): Promise<string[]> {
    const rows = await this.query(
      ctx,
      ID_ROW,
      `UPDATE sessions SET revoked_at = $3, revoked_reason = $4
       WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3
         AND ($5::text IS NULL OR id = $5) AND ($6::text IS NULL OR id <> $6)
       RETURNING id`,
      [user.tenantId, user.id, now, reason, onlyId ?? null, exceptId ?? null],
    );
    return rows.map(({ id }) => id).sort();
  }

  /** Deletes all sessions of a user, including expired and revoked sessions. Returns the ids of the sessions. */
  async deleteAll(ctx: RequestContext, user: UserKey): Promise<string[]> {
    const rows = await this.query(ctx, ID_ROW, 'DELETE FROM sessions WHERE tenant_id = $1 AND user_id = $2 RETURNING id', [
      user.tenantId,
      user.id,
    ]);
    return rows.map(({ id }) => id);
  }

  private async findKey(ctx: RequestContext, tokenHash: Buffer): Promise<TokenSubject | undefined> {
    const cacheKey = tokenHash.toString('base64');
    const cached = this.keys.get(cacheKey);
    if (cached) return cached;
    const key = await this.tokenHashes.find(ctx, 'session', tokenHash);
    if (key) this.keys.set(cacheKey, key);
    return key;
  }
}
