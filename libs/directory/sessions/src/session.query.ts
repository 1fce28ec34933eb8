import { Injectable } from '@nestjs/common';
import { offsetOf, type Page, pageOf, type PageRequest, type RequestContext } from '#platform/common';
import { BaseQuery, column, entityRow, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { Session } from './session.entity.js';
import type { UserKey } from './user-key.js';

export interface SessionTimeouts {
  readonly organizationId: string;
  /** Seconds without activity after which a session ends. */
  readonly timeoutSeconds: number;
  /** Seconds from the sign-in to the end of a session, regardless of activity. */
  readonly lifetimeSeconds: number;
}

/** The sessions that a revocation affects: only one session, or all sessions except one. */
export interface RevocationScope {
  readonly onlyId?: string;
  readonly exceptId?: string;
}

const ID_ROW = row({ id: column.text() });
const COUNTS_ROW = row({ total: column.integer(), preceding: column.integer() });

const COLUMNS = `s.id, s.tenant_id AS "tenantId", s.user_id AS "userId", s.organization_id AS "organizationId",
  s.ip_address AS "ipAddress", s.user_agent AS "userAgent", s.authentication_methods AS "authenticationMethods",
  s.enrolment_only AS "enrolmentOnly", s.created_at AS "createdAt", s.authenticated_at AS "authenticatedAt",
  s.last_seen_at AS "lastSeenAt", s.revoked_at AS "revokedAt", s.revoked_reason AS "revokedReason"`;

/**
 * Selects the sessions of user $2 of tenant $1 that are not revoked, expired or idle for too long at time $3. $4 are organization ids. $5
 * and $6 are the idle timeouts and lifetimes in each organization, in seconds.
 */
const IN_USE = `FROM sessions s JOIN unnest($4::text[], $5::float8[], $6::float8[]) AS t (organization_id, timeout_seconds, lifetime_seconds)
    ON t.organization_id = s.organization_id
  WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3::timestamptz
    AND s.last_seen_at > $3::timestamptz - make_interval(secs => t.timeout_seconds)
    AND s.created_at > $3::timestamptz - make_interval(secs => t.lifetime_seconds)`;

/** Finds and revokes sessions. A live session is neither revoked nor expired. */
@Injectable()
export class SessionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async findLiveByToken(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<Session | null> {
    const [session] = await this.query(
      ctx,
      entityRow(Session),
      `SELECT ${COLUMNS}, s.expires_at AS "expiresAt" FROM token_hashes h JOIN sessions s ON s.tenant_id = h.tenant_id AND s.id = h.subject_id
       WHERE h.hash = $1 AND h.kind = 'session' AND s.revoked_at IS NULL AND s.expires_at > $2`,
      [tokenHash, now],
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
      entityRow(Session),
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
   * Adds an authentication method to a live session and sets `enrolmentOnly` to false. Returns false if the live session does not exist.
   */
  async addAuthenticationMethod(ctx: RequestContext, user: UserKey, id: string, method: string, now: Date): Promise<boolean> {
    const changedCount = await this.execute(
      ctx,
      `UPDATE sessions SET authentication_methods = array_append(array_remove(authentication_methods, $4), $4), enrolment_only = false
       WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revoked_at IS NULL AND expires_at > $5`,
      [user.tenantId, user.id, id, method, now],
    );
    return changedCount === 1;
  }

  /** Revokes live sessions of a user. Returns the ids of the revoked sessions, oldest first. */
  async revoke(ctx: RequestContext, user: UserKey, reason: string, now: Date, scope: RevocationScope = {}): Promise<string[]> {
    const rows = await this.query(
      ctx,
      ID_ROW,
      `UPDATE sessions SET revoked_at = $3, revoked_reason = $4
       WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3
         AND ($5::text IS NULL OR id = $5) AND ($6::text IS NULL OR id <> $6)
       RETURNING id`,
      [user.tenantId, user.id, now, reason, scope.onlyId ?? null, scope.exceptId ?? null],
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
}
