import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

@Injectable()
export class PasswordHistoryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the hashes of the most recent previous passwords, newest first. */
  async listHashes(ctx: RequestContext, { tenantId, id }: UserKey, limit: number): Promise<string[]> {
    const rows = await this.query(
      ctx,
      row({ hash: column.text() }),
      'SELECT password_hash AS hash FROM password_history WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3',
      [tenantId, id, limit],
    );
    return rows.map(({ hash }) => hash);
  }

  /** Copies the current password to the history before a replacement, and deletes all but the newest `keep` previous passwords. */
  async addCurrent(ctx: RequestContext, { tenantId, id }: UserKey, at: Date, keep: number): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO password_history (tenant_id, user_id, password_hash, replaced_at)
       SELECT tenant_id, user_id, password_hash, $3 FROM user_credentials WHERE tenant_id = $1 AND user_id = $2`,
      [tenantId, id, at],
    );
    await this.execute(
      ctx,
      `DELETE FROM password_history WHERE tenant_id = $1 AND user_id = $2 AND id NOT IN
         (SELECT id FROM password_history WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3)`,
      [tenantId, id, keep],
    );
  }
}
