import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

/** Hashes of passwords, the present one and replaced ones. */
@Injectable()
export class PasswordRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async findHash(ctx: RequestContext, { tenantId, id }: UserKey): Promise<string | null> {
    const rows = await this.query<{ hash: string }>(
      ctx,
      'SELECT password_hash AS hash FROM user_credentials WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, id],
    );
    return rows[0]?.hash ?? null;
  }

  /** The newest replaced ones, newest first. */
  async replacedHashes(ctx: RequestContext, { tenantId, id }: UserKey, limit: number): Promise<string[]> {
    const rows = await this.query<{ hash: string }>(
      ctx,
      'SELECT password_hash AS hash FROM password_history WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3',
      [tenantId, id, limit],
    );
    return rows.map(({ hash }) => hash);
  }

  /** Puts the hash in the place of the present one, which goes to the history; of that, `keep` are kept. */
  async replace(ctx: RequestContext, { tenantId, id }: UserKey, hash: string, at: Date, keep: number): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO password_history (tenant_id, user_id, password_hash, replaced_at)
       SELECT tenant_id, user_id, password_hash, $3 FROM user_credentials WHERE tenant_id = $1 AND user_id = $2`,
      [tenantId, id, at],
    );
    await this.query(
      ctx,
      `DELETE FROM password_history WHERE tenant_id = $1 AND user_id = $2 AND id NOT IN
         (SELECT id FROM password_history WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3)`,
      [tenantId, id, keep],
    );
    await this.query(
      ctx,
      `INSERT INTO user_credentials (tenant_id, user_id, password_hash, password_changed_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, user_id)
       DO UPDATE SET password_hash = excluded.password_hash, password_changed_at = excluded.password_changed_at`,
      [tenantId, id, hash, at],
    );
  }

  async remove(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    await this.query(ctx, 'DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2', [tenantId, id]);
  }

  /** Replaces a hash by a better one of the same password; nothing happens when the password was changed meanwhile. */
  async rehash(ctx: RequestContext, { tenantId, id }: UserKey, from: string, to: string): Promise<void> {
    await this.query(
      ctx,
      'UPDATE user_credentials SET password_hash = $4 WHERE tenant_id = $1 AND user_id = $2 AND password_hash = $3',
      [tenantId, id, from, to],
    );
  }
}
