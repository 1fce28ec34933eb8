import { Injectable, type OnModuleInit } from '@nestjs/common';
import { emailKey } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseQuery } from '#platform/database';
import { definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const FAILED_SIGN_INS = definePersonalData('failedSignIns', {
  description: 'Numbers of consecutive failed sign-ins with the email address of the user.',
  tables: ['sign_in_failures'],
  fields: {
    ipAddress: field.nullableText('IP address or network. Null for the number from all unknown addresses.', '203.0.113.7'),
    forwardedBy: field.nullableText(
      'Organization whose API key or machine client sent the address in `Client-Address`; `platform` for a platform key.',
      'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
    ),
    failures: field.integer('Number of failed sign-ins.', 2),
    lastFailedAt: field.time('Time of the last failed sign-in.'),
    lockedUntil: field.nullableTime('Time until which sign-ins from the address are locked.'),
  },
});

const KNOWN_ORIGINS = definePersonalData('knownOrigins', {
  description:
    'Addresses and devices from which the user signed in. Only hashes of them are stored, and the export does not contain the hashes.',
  tables: ['sign_in_origins'],
  fields: {
    kind: field.text('`address` or `device`.', 'device'),
    lastSeenAt: field.time('Time of the last sign-in from the address or device.'),
  },
});

/** Reads the failed sign-ins and known origins of a user for the export of the user. */
@Injectable()
export class SignInPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(FAILED_SIGN_INS, (ctx, { tenantId, email }) =>
      this.query(
        ctx,
        FAILED_SIGN_INS.row,
        `SELECT nullif(split_part(address, ' ', 1), '') AS "ipAddress", nullif(split_part(address, ' ', 2), '') AS "forwardedBy", failures, last_failed_at AS "lastFailedAt", locked_until AS "lockedUntil"
         FROM sign_in_failures WHERE tenant_id = $1 AND account = $2 ORDER BY address`,
        [tenantId, hashToken(emailKey(email))],
      ),
    );
    this.sources.register(KNOWN_ORIGINS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        KNOWN_ORIGINS.row,
        `SELECT kind, last_seen_at AS "lastSeenAt" FROM sign_in_origins WHERE tenant_id = $1 AND user_id = $2 ORDER BY last_seen_at, kind`,
        [tenantId, id],
      ),
    );
  }
}
