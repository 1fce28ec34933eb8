import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

const USER_ROW = row({
  email: column.text(),
  emailVerified: column.boolean(),
  firstName: column.nullable(column.text()),
  lastName: column.nullable(column.text()),
  displayName: column.nullable(column.text()),
  picture: column.nullable(column.text()),
  phoneNumber: column.nullable(column.text()),
  phoneVerified: column.boolean(),
  locale: column.nullable(column.text()),
  updatedAt: column.timestamp(),
});

export type ClaimedUser = Readonly<RowOf<typeof USER_ROW>>;

/** Reads what ID tokens, access tokens and the userinfo endpoint say about users. */
@Injectable()
export class UserClaimsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async findUser(ctx: RequestContext, { tenantId, id }: UserKey): Promise<ClaimedUser | undefined> {
    const [user] = await this.query(
      ctx,
      USER_ROW,
      `SELECT email, email_verified AS "emailVerified", first_name AS "firstName", last_name AS "lastName",
         display_name AS "displayName", picture, phone_number AS "phoneNumber", phone_verified AS "phoneVerified", locale,
         updated_at AS "updatedAt"
       FROM users WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
      { prepared: true, connection: 'shared' },
    );
    return user;
  }
}
