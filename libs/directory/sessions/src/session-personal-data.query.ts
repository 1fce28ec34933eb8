import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BaseQuery } from '#platform/database';
import { definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const ORGANIZATION_ID = field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd');

const SESSIONS = definePersonalData('sessions', {
  description: 'Sessions, including sessions that ended, without their tokens.',
  tables: ['sessions'],
  fields: {
    id: field.text('Id of the session.', 'ses_01kf2bj5nyf3k7t9w1m4c8x6vd'),
    organizationId: ORGANIZATION_ID,
    ipAddress: field.nullableText('IP address at sign-in.', '203.0.113.7'),
    userAgent: field.nullableText('User agent at sign-in.', 'Mozilla/5.0 …'),
    authenticationMethods: field.texts('Methods with which the user authenticated.', ['password', 'totp']),
    identityProviderId: field.nullableText('Id of the identity provider of the sign-in.', 'idp_01kf2bj5nyf3k7t9w1m4c8x6vd'),
    createdAt: field.time('Time of the sign-in.'),
    authenticatedAt: field.time('Time of the sign-in or of the last reauthentication.'),
    lastSeenAt: field.time('Time of the last activity.'),
    expiresAt: field.time('Latest time at which the session expires.'),
    revokedAt: field.nullableTime('Time at which the session was revoked.'),
    revokedReason: field.nullableText('Reason for the revocation.', 'signed_out'),
  },
});

const EMAIL_LINKS = definePersonalData('emailLinks', {
  description: 'Links that were emailed to the user, without their tokens.',
  tables: ['one_time_tokens'],
  fields: {
    purpose: field.text('Purpose of the link.', 'password_reset'),
    organizationId: ORGANIZATION_ID,
    createdAt: field.time('Time of the creation.'),
    expiresAt: field.time('Time at which the link expires.'),
    usedAt: field.nullableTime('Time at which the link was used.'),
    voidedAt: field.nullableTime('Time at which the link became invalid.'),
  },
});

/** Reads the sessions and emailed links of a user for the export of the user. */
@Injectable()
export class SessionPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(SESSIONS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        SESSIONS.row,
        `SELECT id, organization_id AS "organizationId", ip_address AS "ipAddress", user_agent AS "userAgent",
           authentication_methods AS "authenticationMethods", identity_provider_id AS "identityProviderId", created_at AS "createdAt", authenticated_at AS "authenticatedAt",
           last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", revoked_at AS "revokedAt", revoked_reason AS "revokedReason"
         FROM sessions WHERE tenant_id = $1 AND user_id = $2 ORDER BY id`,
        [tenantId, id],
      ),
    );
    this.sources.register(EMAIL_LINKS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        EMAIL_LINKS.row,
        `SELECT purpose, organization_id AS "organizationId", created_at AS "createdAt", expires_at AS "expiresAt",
           used_at AS "usedAt", voided_at AS "voidedAt"
         FROM one_time_tokens WHERE tenant_id = $1 AND user_id = $2 ORDER BY id`,
        [tenantId, id],
      ),
    );
  }
}
