import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { EventRedaction } from '#platform/event-log';
import { MessageOutbox } from '#platform/mail';
import { type OrganizationFollower, OrganizationFollowers } from '#directory/organizations';
import { DataSource } from 'typeorm';

/** When an organization is purged, the users it manages go with it, and with them their sessions, tokens and mails. */
@Injectable()
export class UsersFollowOrganizationsRepository extends SqlRepository implements OrganizationFollower, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly followers: OrganizationFollowers,
    private readonly messages: MessageOutbox,
    private readonly redaction: EventRedaction,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    await this.query(
      ctx,
      `DELETE FROM token_hashes h WHERE h.tenant_id = $1 AND h.kind IN ('session', 'one_time_token') AND h.subject_id IN (
         SELECT s.id FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
         WHERE u.tenant_id = $1 AND u.organization_id = ANY($2)
         UNION ALL SELECT t.id FROM one_time_tokens t JOIN users u ON u.tenant_id = t.tenant_id AND u.id = t.user_id
         WHERE u.tenant_id = $1 AND u.organization_id = ANY($2))`,
      [tenantId, ids],
    );
    await this.messages.deleteOfOrganizations(ctx, tenantId, ids);
    // Sessions, one-time tokens and identities follow by their foreign keys.
    const users = await this.query<{ id: string }>(
      ctx,
      'DELETE FROM users WHERE tenant_id = $1 AND organization_id = ANY($2) RETURNING id',
      [tenantId, ids],
    );
    await this.redaction.request(
      ctx,
      tenantId,
      users.map(({ id }) => id),
    );
  }
}
