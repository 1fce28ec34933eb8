import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { OneTimePurpose, OneTimeToken } from './one-time-token.js';
import type { UserKey } from './session.js';

const COLUMNS = `id, tenant_id AS "tenantId", purpose, user_id AS "userId", organization_id AS "organizationId", bound_to AS "boundTo",
  expires_at AS "expiresAt", used_at AS "usedAt", voided_at AS "voidedAt", created_at AS "createdAt"`;

/** Rows of one-time tokens. */
@Injectable()
export class OneTimeTokenRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, token: OneTimeToken): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO one_time_tokens (tenant_id, id, purpose, user_id, organization_id, bound_to, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        token.tenantId,
        token.id,
        token.purpose,
        token.userId,
        token.organizationId,
        token.boundTo,
        token.expiresAt,
        token.createdAt,
      ],
    );
  }

  async find(ctx: RequestContext, tenantId: string, id: string, purpose: OneTimePurpose): Promise<OneTimeToken | null> {
    const rows = await this.query<OneTimeToken>(
      ctx,
      `SELECT ${COLUMNS} FROM one_time_tokens WHERE tenant_id = $1 AND id = $2 AND purpose = $3`,
      [tenantId, id, purpose],
    );
    return rows[0] ?? null;
  }

  async purposeOf(ctx: RequestContext, tenantId: string, id: string): Promise<OneTimePurpose | null> {
    const rows = await this.query<{ purpose: OneTimePurpose }>(
      ctx,
      'SELECT purpose FROM one_time_tokens WHERE tenant_id = $1 AND id = $2',
      [tenantId, id],
    );
    return rows[0]?.purpose ?? null;
  }

  /** Uses the token up in one statement: of several at once, one gets it and the others nothing. */
  async consume(
    ctx: RequestContext,
    tenantId: string,
    id: string,
    purpose: OneTimePurpose,
    now: Date,
  ): Promise<OneTimeToken | null> {
    const rows = await this.query<OneTimeToken>(
      ctx,
      `UPDATE one_time_tokens SET used_at = $4
       WHERE tenant_id = $1 AND id = $2 AND purpose = $3 AND used_at IS NULL AND voided_at IS NULL AND expires_at > $4
       RETURNING ${COLUMNS}`,
      [tenantId, id, purpose, now],
    );
    return rows[0] ?? null;
  }

  async voidUnused(ctx: RequestContext, user: UserKey, purpose: OneTimePurpose | null, now: Date): Promise<number> {
    return this.execute(
      ctx,
      `UPDATE one_time_tokens SET voided_at = $4
       WHERE tenant_id = $1 AND user_id = $2 AND ($3::text IS NULL OR purpose = $3) AND used_at IS NULL AND voided_at IS NULL`,
      [user.tenantId, user.id, purpose, now],
    );
  }

  async exists(ctx: RequestContext, user: UserKey, purpose: OneTimePurpose): Promise<boolean> {
    const rows = await this.query(
      ctx,
      'SELECT FROM one_time_tokens WHERE tenant_id = $1 AND user_id = $2 AND purpose = $3 LIMIT 1',
      [user.tenantId, user.id, purpose],
    );
    return rows.length === 1;
  }

  /** Removes all of a user's tokens and gives their ids. */
  async remove(ctx: RequestContext, user: UserKey): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      'DELETE FROM one_time_tokens WHERE tenant_id = $1 AND user_id = $2 RETURNING id',
      [user.tenantId, user.id],
    );
    return rows.map((row) => row.id);
  }
}
