import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const LEFT_ROW = row({ left: column.integer() });

@Injectable()
export class RecoveryCodeUseQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Deletes a code. Only one of several concurrent calls with a code succeeds. Returns the number of remaining codes, or null if the code
   * does not exist.
   */
  async consume(ctx: RequestContext, { tenantId, id }: UserKey, hash: Buffer): Promise<number | null> {
    const [set] = await this.query(
      ctx,
      LEFT_ROW,
      `UPDATE recovery_code_sets SET hashes = array_remove(hashes, $3::bytea)
       WHERE tenant_id = $1 AND user_id = $2 AND $3::bytea = ANY (hashes) RETURNING cardinality(hashes) AS left`,
      [tenantId, id, hash],
    );
    return set?.left ?? null;
  }
}
