import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { HistoryQuery } from '#platform/database';
import { EventRedaction } from '#platform/event-log';
import { MessageOutbox } from '#platform/mail';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { UserPurgeQuery } from './user-purge.query.js';

/** Deletes the users of purged organizations, with sessions, tokens and emails. */
@Injectable()
export class PurgedOrganizationsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly followers: OrganizationLifecycleHandlers,
    private readonly userPurge: UserPurgeQuery,
    private readonly messages: MessageOutbox,
    private readonly redaction: EventRedaction,
    private readonly history: HistoryQuery,
  ) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.userPurge.deleteTokenHashes(ctx, tenantId, organizationIds);
    await this.messages.deleteOfOrganizations(ctx, tenantId, organizationIds);
    const users = await this.userPurge.deleteUsers(ctx, tenantId, organizationIds, loss);
    await this.history.purgeUsers(ctx, users);
    await this.redaction.request(ctx, users);
  }
}
