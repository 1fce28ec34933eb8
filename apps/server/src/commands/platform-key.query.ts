import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';

const PLATFORM_KEY_ROW = row({
  id: column.text(),
  name: column.text(),
  /** The first and the last characters of the key. */
  excerpt: column.text(),
  createdAt: column.timestamp(),
  lastUsedAt: column.nullable(column.timestamp()),
  revokedAt: column.nullable(column.timestamp()),
});

interface NewPlatformKey {
  readonly prefix: string;
  readonly last4: string;
  readonly hash: Buffer;
}

/** Creates, lists and revokes platform keys. */
export class PlatformKeyQuery extends BaseQuery {
  async list(ctx: RequestContext): Promise<RowOf<typeof PLATFORM_KEY_ROW>[]> {
    return this.query(
      ctx,
      PLATFORM_KEY_ROW,
      `SELECT id, name, prefix || '…' || last4 AS excerpt, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
       FROM api_keys WHERE tenant_id = 'platform' ORDER BY id`,
    );
  }

  /** Inserts a platform key as the first start creates it. */
  async insert(ctx: RequestContext, id: string, name: string, { prefix, last4, hash }: NewPlatformKey): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO api_keys (tenant_id, id, name, scopes, prefix, last4, source, created_by_type, created_at)
       VALUES ('platform', $1, $2, '{*}', $3, $4, 'first_start', 'system', now())`,
      [id, name, prefix, last4],
    );
    // After the key, so that an interrupted command leaves no working key that no list shows.
    await this.execute(
      ctx,
      `INSERT INTO token_hashes (hash, kind, tenant_id, subject_id) VALUES ($1, 'api_key', 'platform', $2)`,
      [hash, id],
    );
  }

  /** Revokes a platform key and notifies all processes. Returns the source of the key, or undefined for an unknown key. */
  async revoke(ctx: RequestContext, id: string): Promise<string | undefined> {
    const [key] = await this.query(
      ctx,
      row({ source: column.text() }),
      `UPDATE api_keys SET revoked_at = coalesce(revoked_at, clock.now) FROM (SELECT now() AS now) clock
       WHERE tenant_id = 'platform' AND id = $1 RETURNING source`,
      [id],
    );
    // A process that misses the notification reads the key again within a second.
    if (key) await this.execute(ctx, `SELECT pg_notify('access_changed', $1)`, [id]);
    return key?.source;
  }
}
