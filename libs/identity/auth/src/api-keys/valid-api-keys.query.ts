import { Injectable } from '@nestjs/common';
import { Clock, type Grant, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';

const GRANT_ROW = row({ organizationId: column.text(), permissions: column.arrayOf(column.text()) });

/** Reads what an API key or its rotated successors still grant, for what the key created and what works only as long as the key. */
@Injectable()
export class ValidApiKeysQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource);
  }

  /** Returns the scopes of the key and of its successors that are not revoked, expired, disabled or of a deleted organization. */
  async listGrants(ctx: RequestContext, key: Readonly<Record<'tenantId' | 'id', string>>): Promise<Grant[]> {
    return this.query(
      ctx,
      GRANT_ROW,
      `WITH RECURSIVE rotated AS (
         SELECT k.* FROM api_keys k WHERE k.tenant_id = $1 AND k.id = $2
         UNION
         SELECT n.* FROM rotated p JOIN api_keys n ON n.tenant_id = $1 AND n.organization_id = p.organization_id AND n.rotated_from_id = p.id
       )
       SELECT r.organization_id AS "organizationId", r.scopes AS permissions FROM rotated r
       JOIN organizations o ON o.tenant_id = $1 AND o.id = r.organization_id AND o.deleted_at IS NULL
       WHERE r.revoked_at IS NULL AND r.disabled_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > $3)
       ORDER BY r.id`,
      [key.tenantId, key.id, this.clock.now()],
      { prepared: true },
    );
  }

  async isValidPlatformKey(ctx: RequestContext, id: string): Promise<boolean> {
    const valid = await this.query(
      ctx,
      row({ id: column.text() }),
      'SELECT id FROM api_keys WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)',
      [PLATFORM_TENANT, id, this.clock.now()],
      { prepared: true },
    );
    return valid.length > 0;
  }
}
