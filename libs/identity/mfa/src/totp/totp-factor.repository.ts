import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

export interface TotpFactor {
  readonly seedSealed: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Authenticator apps: one a user. */
@Injectable()
export class TotpFactorRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async find(ctx: RequestContext, { tenantId, id }: UserKey): Promise<TotpFactor | null> {
    const rows = await this.query<TotpFactor>(
      ctx,
      `SELECT seed_sealed AS "seedSealed", created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM totp_factors WHERE tenant_id = $1 AND user_id = $2`,
      [tenantId, id],
    );
    return rows[0] ?? null;
  }

  /** Puts a seed in the place of the one before, if there was one. The step that proved it counts as used. */
  async put(ctx: RequestContext, { tenantId, id }: UserKey, seedSealed: string, step: number, at: Date): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO totp_factors (tenant_id, user_id, seed_sealed, last_step, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, user_id) DO UPDATE SET seed_sealed = excluded.seed_sealed, last_step = excluded.last_step,
         created_at = excluded.created_at, last_used_at = NULL`,
      [tenantId, id, seedSealed, step, at],
    );
  }

  /**
   * Uses a step up; false when it, or a later one, was used already, or the factor is another by now. Of several at once, one gets true.
   * The factor is known by when it was added: its seed may be sealed anew meanwhile.
   */
  async useStep(ctx: RequestContext, { tenantId, id }: UserKey, addedAt: Date, step: number, at: Date): Promise<boolean> {
    const used = await this.execute(
      ctx,
      `UPDATE totp_factors SET last_step = $4, last_used_at = $5
       WHERE tenant_id = $1 AND user_id = $2 AND created_at = $3 AND last_step < $4`,
      [tenantId, id, addedAt, step, at],
    );
    return used === 1;
  }

  async remove(ctx: RequestContext, { tenantId, id }: UserKey): Promise<boolean> {
    return (await this.execute(ctx, 'DELETE FROM totp_factors WHERE tenant_id = $1 AND user_id = $2', [tenantId, id])) === 1;
  }
}
