import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';
import type { Session, UserKey } from './session.js';

const COLUMNS = `id, tenant_id AS "tenantId", user_id AS "userId", organization_id AS "organizationId", ip_address AS "ipAddress",
  user_agent AS "userAgent", authentication_methods AS "authenticationMethods", enrolment_only AS "enrolmentOnly",
  created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"`;

/** Which sessions a revocation ends: one, or all but one. */
export interface RevocationScope {
  readonly onlyId?: string;
  readonly exceptId?: string;
}

/** Rows of sessions. Live means: neither revoked nor past the absolute end. */
@Injectable()
export class SessionRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, session: Session): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO sessions (tenant_id, id, user_id, organization_id, ip_address, user_agent, authentication_methods, enrolment_only,
         created_at, last_seen_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
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
        session.lastSeenAt,
        session.expiresAt,
      ],
    );
  }

  async findLive(ctx: RequestContext, tenantId: string, id: string, now: Date): Promise<Session | null> {
    const rows = await this.query<Session>(
      ctx,
      `SELECT ${COLUMNS} FROM sessions WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3`,
      [tenantId, id, now],
    );
    return rows[0] ?? null;
  }

  async listLive(ctx: RequestContext, user: UserKey, now: Date, limit: number): Promise<Session[]> {
    return this.query<Session>(
      ctx,
      `SELECT ${COLUMNS} FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3
       ORDER BY id DESC LIMIT $4`,
      [user.tenantId, user.id, now, limit],
    );
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
