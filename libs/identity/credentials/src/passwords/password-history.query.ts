import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const HASH_ROW = row({ hash: column.text() });

@Injectable()
export class PasswordHistoryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the hashes of the most recent previous passwords, newest first. */
  async listHashes(ctx: RequestContext, { tenantId, id }: UserKey, limit: number): Promise<string[]> {
    const rows = await this.query(
      ctx,
      HASH_ROW,
      'SELECT password_hash AS hash FROM password_history WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3',
      [tenantId, id, limit],
    );
    return rows.map(({ hash }) => hash);
  }

  /** Copies the current password to the history before a replacement, and deletes all but the newest `keep` previous passwords. */
  async addCurrent(ctx: RequestContext, { tenantId, id }: UserKey, at: Date, keep: number): Promise<void> {
    const [current] = await this.query(
      ctx,
      HASH_ROW,
      'SELECT password_hash AS hash FROM user_credentials WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, id],
    );
    if (!current) return;
    await this.execute(
      ctx,
      'INSERT INTO password_history (tenant_id, user_id, password_hash, replaced_at) VALUES ($1, $2, $3, $4)',
      [tenantId, id, current.hash, at],
    );
    await this.execute(
      ctx,
      `DELETE FROM password_history WHERE tenant_id = $1 AND user_id = $2 AND id NOT IN
         (SELECT id FROM password_history WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3)`,
      [tenantId, id, keep],
    );
  }
}
