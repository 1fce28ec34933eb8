import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const DELETED_ROW = row({ id: column.text(), emailKey: column.text(), externalId: column.nullable(column.text()) });
export type DeletedUser = RowOf<typeof DELETED_ROW>;

/** Finds deleted users who still can be restored. */
@Injectable()
export class DeletedUsersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the deleted users of a tenant who have one of the email addresses or external ids. */
  list(
    ctx: RequestContext,
    tenantId: string,
    emailKeys: readonly string[],
    externalIds: readonly string[],
  ): Promise<DeletedUser[]> {
    return this.query(
      ctx,
      DELETED_ROW,
      `SELECT id, email_key AS "emailKey", external_id AS "externalId" FROM users
       WHERE tenant_id = $1 AND status = 'deleted'
         AND (email_key = ANY ($2) OR (external_id IS NOT NULL AND external_id = ANY ($3)))`,
      [tenantId, emailKeys, externalIds],
      { prepared: true, connection: 'shared' },
    );
  }
}
