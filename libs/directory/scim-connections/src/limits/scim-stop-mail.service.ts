import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { mailStyle, MessageOutbox, scimStoppedMail } from '#platform/mail';
import { MailDefaultsService, OwnerAddresses } from '#directory/organizations';
import type { ScimConnection } from '../scim-connection.entity.js';

/** Notifies every owner, in the owner's language, that a limit stopped a connection. */
@Injectable()
export class ScimStopMailService {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly owners: OwnerAddresses,
    private readonly config: AppConfig,
  ) {}

  async send(
    ctx: RequestContext,
    organization: OrganizationScope,
    { id, name: connectionName }: ScimConnection,
    removedUsers: number,
  ): Promise<void> {
    const defaults = await this.mailDefaults.get(ctx, organization);
    const url = `${this.config.baseUrl}/dashboard/organizations/${organization.id}/scim/${id}`;
    const data = { organizationName: organization.name, connectionName, removedUsers, url };
    const envelope = { tenantId: organization.tenantId, organizationId: organization.id, template: 'scim_connection_stopped' };
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = scimStoppedMail({ ...data, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { ...envelope, to, content });
    }
  }
}
