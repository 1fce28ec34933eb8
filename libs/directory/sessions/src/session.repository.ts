import { Injectable } from '@nestjs/common';
import { offsetOf, type Page, pageOf, type PageRequest, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { Session, UserKey } from './session.js';

const COLUMNS = `s.id, s.tenant_id AS "tenantId", s.user_id AS "userId", s.organization_id AS "organizationId",
  s.ip_address AS "ipAddress", s.user_agent AS "userAgent", s.authentication_methods AS "authenticationMethods",
  s.enrolment_only AS "enrolmentOnly", s.created_at AS "createdAt",
  s.authenticated_at AS "authenticatedAt", s.last_seen_at AS "lastSeenAt"`;
const WITH_END = `${COLUMNS}, s.expires_at AS "expiresAt"`;

/** Sessions of the user ($1, $2) that are neither ended nor, at $3, too old or, in the organizations $4 with the time-outs $5 and lifetimes $6, over. */
const IN_USE = `FROM sessions s JOIN unnest($4::text[], $5::float8[], $6::float8[]) AS times (organization_id, timeout_seconds, lifetime_seconds)
    ON times.organization_id = s.organization_id
  WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3::timestamptz
    AND s.last_seen_at > $3::timestamptz - make_interval(secs => times.timeout_seconds)
    AND s.created_at > $3::timestamptz - make_interval(secs => times.lifetime_seconds)`;

/** After how many seconds without use, and at the latest, the sessions of an organization are over. */
export interface SessionTimes {
  readonly organizationId: string;
  readonly timeoutSeconds: number;
  readonly lifetimeSeconds: number;
}

/** Which sessions a revocation ends: one, or all but one. */
export interface RevocationScope {
  readonly onlyId?: string;
  readonly exceptId?: string;
}

/** Rows of sessions. Live means: neither revoked nor past the absolute end. */
@Injectable()
export class SessionRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, session: Session): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO sessions (tenant_id, id, user_id, organization_id, ip_address, user_agent, authentication_methods, enrolment_only,
         created_at, authenticated_at, last_seen_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        session.tenantId,
        session.id,
        session.userId,
        session.organizationId,
        session.ipAddress,
        session.userAgent,
        session.authenticationMethods,
        session.enrolmentOnly,
        session.createdAt,
        session.authenticatedAt,
        session.lastSeenAt,
        session.expiresAt,
      ],
    );
  }

  async findLive(ctx: RequestContext, tenantId: string, id: string, now: Date): Promise<Session | null> {
    const rows = await this.query<Session>(
      ctx,
      `SELECT ${WITH_END} FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3`,
      [tenantId, id, now],
    );
    return rows[0] ?? null;
  }

  async findLiveByToken(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<Session | null> {
    const rows = await this.query<Session>(
      ctx,
      `SELECT ${WITH_END} FROM token_hashes h JOIN sessions s ON s.tenant_id = h.tenant_id AND s.id = h.subject_id
       WHERE h.hash = $1 AND h.kind = 'session' AND s.revoked_at IS NULL AND s.expires_at > $2`,
      [tokenHash, now],
    );
    return rows[0] ?? null;
  }

  /** Where the user has live sessions. */
  async organizationsOfLive(ctx: RequestContext, user: UserKey, now: Date): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      `SELECT DISTINCT organization_id AS id FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3`,
      [user.tenantId, user.id, now],
    );
    return rows.map(({ id }) => id);
  }

  /** Sessions in the organizations named that work, newest first. */
  async pageInUse(
    ctx: RequestContext,
    user: UserKey,
    now: Date,
    times: readonly SessionTimes[],
    request: PageRequest,
  ): Promise<Page<Session>> {
    const parameters = [
      user.tenantId,
      user.id,
      now,
      times.map(({ organizationId }) => organizationId),
      times.map(({ timeoutSeconds }) => timeoutSeconds),
      times.map(({ lifetimeSeconds }) => lifetimeSeconds),
      request.after ?? null,
    ];
    const rows = await this.query<Session>(
      ctx,
      `SELECT ${COLUMNS}, least(s.expires_at, s.created_at + make_interval(secs => times.lifetime_seconds)) AS "expiresAt"
       ${IN_USE} AND ($7::text IS NULL OR s.id < $7) ORDER BY s.id DESC LIMIT $8 OFFSET $9`,
      [...parameters, request.limit + 1, offsetOf(request)],
    );
    const [counts] = await this.query<{ total: number; preceding: number }>(
      ctx,
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE s.id >= $7::text)::int AS preceding ${IN_USE}`,
      parameters,
    );
    return pageOf(request, rows, counts!.total, request.after === undefined ? offsetOf(request) : counts!.preceding);
  }

  /** Notes that the session is in use, unless that was noted since `notedSince`. */
  async touch(ctx: RequestContext, tenantId: string, id: string, now: Date, notedSince: Date): Promise<void> {
    await this.execute(
      ctx,
      'UPDATE sessions SET last_seen_at = $3 WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND last_seen_at <= $4',
      [tenantId, id, now, notedSince],
    );
  }

  /** Adds how the user was authenticated and lifts the limits of an enrolment; false when there is no such live session. */
  async addMethod(ctx: RequestContext, user: UserKey, id: string, method: string, now: Date): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE sessions SET authentication_methods = array_append(array_remove(authentication_methods, $4), $4), enrolment_only = false
       WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revoked_at IS NULL AND expires_at > $5`,
      [user.tenantId, user.id, id, method, now],
    );
    return changed === 1;
  }

  async noteAuthentication(ctx: RequestContext, user: UserKey, id: string, now: Date): Promise<void> {
    await this.execute(
      ctx,
      'UPDATE sessions SET authenticated_at = $4 WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND revoked_at IS NULL',
      [user.tenantId, user.id, id, now],
    );
  }

  /** Ends a user's live sessions within the scope; gives the ids of those that it ended, oldest first. */
  async revoke(ctx: RequestContext, user: UserKey, reason: string, now: Date, scope: RevocationScope = {}): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      `UPDATE sessions SET revoked_at = $3, revoked_reason = $4
       WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3
         AND ($5::text IS NULL OR id = $5) AND ($6::text IS NULL OR id <> $6)
       RETURNING id`,
      [user.tenantId, user.id, now, reason, scope.onlyId ?? null, scope.exceptId ?? null],
    );
    return rows.map((row) => row.id).sort();
  }

  /** Removes all of a user's sessions, also ended ones, and gives their ids. */
  async remove(ctx: RequestContext, user: UserKey): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      'DELETE FROM sessions WHERE tenant_id = $1 AND user_id = $2 RETURNING id',
      [user.tenantId, user.id],
    );
    return rows.map((row) => row.id);
  }
}
