import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BaseQuery } from '#platform/database';
import { definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const PASSWORDS = definePersonalData('passwords', {
  description: 'The current password (`replacedAt` is null) and previous passwords, without their hashes.',
  tables: ['user_credentials', 'password_history'],
  fields: {
    changedAt: field.nullableTime('Time at which the current password was set. Null for a previous password.'),
    replacedAt: field.nullableTime('Time at which a previous password was replaced.'),
  },
});

/** Reads the times of the passwords of a user for the export of the user. */
@Injectable()
export class PasswordPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(PASSWORDS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        PASSWORDS.row,
        `SELECT password_changed_at AS "changedAt", NULL::timestamptz AS "replacedAt" FROM user_credentials
         WHERE tenant_id = $1 AND user_id = $2
         UNION ALL SELECT NULL::timestamptz, replaced_at FROM password_history WHERE tenant_id = $1 AND user_id = $2
         ORDER BY 2 DESC NULLS FIRST`,
        [tenantId, id],
      ),
    );
  }
}
