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
   * Deletes one code of a set, in one statement, so that only one of several concurrent calls with the same code succeeds. Returns the
   * number of codes that are left, or null if the set doesn't contain the code.
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
