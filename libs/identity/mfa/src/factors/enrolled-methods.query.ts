import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type { CodeMethod, FactorMethod } from '../mfa-method.js';

const METHODS_ROW = row({ passkey: column.boolean(), totp: column.boolean(), codes: column.arrayOf(column.text<CodeMethod>()) });

@Injectable()
export class EnrolledMethodsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the methods of the factors of a user, strongest first. */
  async list(ctx: RequestContext, { tenantId, id }: UserKey): Promise<FactorMethod[]> {
    const [enrolled] = await this.query(
      ctx,
      METHODS_ROW,
      `SELECT EXISTS (SELECT FROM passkeys WHERE tenant_id = $1 AND user_id = $2) AS passkey,
         EXISTS (SELECT FROM totp_factors WHERE tenant_id = $1 AND user_id = $2) AS totp,
         ARRAY (SELECT method FROM code_factors WHERE tenant_id = $1 AND user_id = $2 ORDER BY method) AS codes`,
      [tenantId, id],
      { prepared: true, connection: 'shared' },
    );
    if (!enrolled) throw new Error('The read of the methods returned no row.');
    return [...(enrolled.passkey ? ['passkey' as const] : []), ...(enrolled.totp ? ['totp' as const] : []), ...enrolled.codes];
  }
}
