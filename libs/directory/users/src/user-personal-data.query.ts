import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BaseQuery } from '#platform/database';
import { definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';
import { columnOfField, USER_FIELD_NAMES, USER_FIELDS, type UserFieldName } from './user-fields.js';

type NullableText = ReturnType<typeof field.nullableText>;

const TEXT_FIELDS = Object.fromEntries(
  USER_FIELD_NAMES.map((name) => [name, field.nullableText(USER_FIELDS[name].description, USER_FIELDS[name].example)]),
) as Record<UserFieldName, NullableText>;

const PROFILE = definePersonalData('profile', {
  description: 'The user.',
  single: true,
  tables: ['users'],
  fields: {
    id: field.text('Id of the user.', 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw'),
    organizationId: field.text('Id of the organization that manages the user.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    email: field.text('Email address.', 'jane.doe@example.com'),
    emailVerified: field.boolean('Whether the user confirmed the email address.'),
    ...TEXT_FIELDS,
    phoneVerified: field.boolean('Whether the user confirmed the phone number.'),
    status: field.text('Status: `active`, `suspended`, `pending` or `deleted`.', 'active'),
    mfaEnabled: field.boolean('Whether the user has an MFA factor.'),
    mfaMethods: field.texts('MFA methods of the user.', ['totp']),
    metadata: field.object('Metadata of your applications.', { team: 'engines' }),
    suspendedAt: field.nullableTime('Time of the suspension.'),
    suspendedReason: field.nullableText('Reason for the suspension.', 'Left the company'),
    deletedAt: field.nullableTime('Time of the deletion.'),
    lastLoginAt: field.nullableTime('Time of the last sign-in.'),
    lastPasswordChangeAt: field.nullableTime('Time of the last change of the password.'),
    createdAt: field.time('Time of the creation.'),
    updatedAt: field.time('Time of the last change.'),
  },
});

const IDENTITIES = definePersonalData('identities', {
  description: 'Linked accounts at identity providers.',
  tables: ['user_identities'],
  fields: {
    identityProviderId: field.text('Id of the identity provider.', 'idp_01kf2bexq7d8k1s5v9m2c6w4za'),
    provider: field.text('Name of the identity provider at the time of the link.', 'Okta'),
    issuer: field.text('Issuer of the account.', 'https://acme.okta.com'),
    externalId: field.text('Id of the account at the issuer.', '00u1a2b3c4'),
    linkedAt: field.time('Time of the link.'),
  },
});

/** Reads the profile and the linked identities of a user for the export of the user. */
@Injectable()
export class UserPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(PROFILE, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        PROFILE.row,
        `SELECT id, organization_id AS "organizationId", email, email_verified AS "emailVerified",
           ${USER_FIELD_NAMES.map((name) => `${columnOfField(name)} AS "${name}"`).join(', ')}, phone_verified AS "phoneVerified",
           status, mfa_enabled AS "mfaEnabled", mfa_methods AS "mfaMethods", metadata, suspended_at AS "suspendedAt",
           suspended_reason AS "suspendedReason", deleted_at AS "deletedAt", last_login_at AS "lastLoginAt",
           last_password_change_at AS "lastPasswordChangeAt", created_at AS "createdAt", updated_at AS "updatedAt"
         FROM users WHERE tenant_id = $1 AND id = $2`,
        [tenantId, id],
      ),
    );
    this.sources.register(IDENTITIES, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        IDENTITIES.row,
        `SELECT identity_provider_id AS "identityProviderId", provider, issuer, external_id AS "externalId", created_at AS "linkedAt"
         FROM user_identities WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, identity_provider_id`,
        [tenantId, id],
      ),
    );
  }
}
