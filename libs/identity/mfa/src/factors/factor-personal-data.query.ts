import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BaseQuery } from '#platform/database';
import { definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const ENROLLED_AT = field.time('Time at which the factor was added.');
const LAST_USED_AT = field.nullableTime('Time of the last use.');

const FACTORS = definePersonalData('mfaFactors', {
  description: 'Authenticator app, and addresses for codes, without the seed of the app.',
  tables: ['totp_factors', 'code_factors'],
  fields: {
    method: field.text('MFA method: `totp`, `email` or `sms`.', 'totp'),
    destination: field.nullableText('Email address or phone number that receives codes.', '+1 415 555 0132'),
    createdAt: ENROLLED_AT,
    lastUsedAt: LAST_USED_AT,
  },
});

const PASSKEYS = definePersonalData('passkeys', {
  description: 'Passkeys, without their keys.',
  tables: ['passkeys'],
  fields: {
    id: field.text('Id of the passkey.', 'psk_01kf2bh1m4x7v9t3c6w8k2q5zd'),
    name: field.text('Name of the passkey.', 'Laptop'),
    credentialId: field.text('Id that the authenticator assigned, in base64url.', 'AbCdEf123'),
    transports: field.texts('Transports of the authenticator.', ['internal']),
    backedUp: field.boolean('Whether the passkey is synchronized between devices.'),
    createdAt: ENROLLED_AT,
    lastUsedAt: LAST_USED_AT,
  },
});

const RECOVERY_CODES = definePersonalData('recoveryCodes', {
  description: 'The set of recovery codes, without the codes.',
  tables: ['recovery_code_sets'],
  fields: {
    unused: field.integer('Number of unused codes.', 10),
    createdAt: field.time('Time at which the codes were generated.'),
  },
});

/** Reads the MFA factors of a user for the export of the user. */
@Injectable()
export class FactorPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(FACTORS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        FACTORS.row,
        `SELECT 'totp' AS method, NULL::text AS destination, created_at AS "createdAt", last_used_at AS "lastUsedAt"
         FROM totp_factors WHERE tenant_id = $1 AND user_id = $2
         UNION ALL SELECT method, destination, created_at, last_used_at FROM code_factors WHERE tenant_id = $1 AND user_id = $2`,
        [tenantId, id],
      ),
    );
    this.sources.register(PASSKEYS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        PASSKEYS.row,
        `SELECT id, name, credential_id AS "credentialId", transports, backed_up AS "backedUp", created_at AS "createdAt",
           last_used_at AS "lastUsedAt"
         FROM passkeys WHERE tenant_id = $1 AND user_id = $2 ORDER BY id`,
        [tenantId, id],
      ),
    );
    this.sources.register(RECOVERY_CODES, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        RECOVERY_CODES.row,
        `SELECT cardinality(hashes) AS unused, created_at AS "createdAt" FROM recovery_code_sets WHERE tenant_id = $1 AND user_id = $2`,
        [tenantId, id],
      ),
    );
  }
}
