import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type { CodeMethod } from '../mfa-method.js';

export interface CodeFactor {
  readonly method: CodeMethod;
  /** The e-mail address or telephone number that was proven. */
  readonly destination: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Where users get codes: one e-mail address and one telephone number each. */
@Injectable()
export class CodeFactorRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async list(ctx: RequestContext, { tenantId, id }: UserKey): Promise<CodeFactor[]> {
    return this.query<CodeFactor>(
      ctx,
      `SELECT method, destination, created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM code_factors WHERE tenant_id = $1 AND user_id = $2 ORDER BY method`,
      [tenantId, id],
    );
  }

  async put(ctx: RequestContext, { tenantId, id }: UserKey, method: CodeMethod, destination: string, at: Date): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO code_factors (tenant_id, user_id, method, destination, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, user_id, method)
       DO UPDATE SET destination = excluded.destination, created_at = excluded.created_at, last_used_at = NULL`,
      [tenantId, id, method, destination, at],
    );
  }

  /** Notes the use; false when the factor is gone. */
  async touch(ctx: RequestContext, { tenantId, id }: UserKey, method: CodeMethod, at: Date): Promise<boolean> {
    const touched = await this.execute(
      ctx,
      'UPDATE code_factors SET last_used_at = $4 WHERE tenant_id = $1 AND user_id = $2 AND method = $3',
      [tenantId, id, method, at],
    );
    return touched === 1;
  }

  async remove(ctx: RequestContext, { tenantId, id }: UserKey, method: CodeMethod): Promise<boolean> {
    const removed = await this.execute(ctx, 'DELETE FROM code_factors WHERE tenant_id = $1 AND user_id = $2 AND method = $3', [
      tenantId,
      id,
      method,
    ]);
    return removed === 1;
  }
}
