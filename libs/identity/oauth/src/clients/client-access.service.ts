import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Grant, permissionsOfScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { type AccessRemoval, AccountAccess, type UserWithOrganization } from '#directory/users';
import { MachineClientGrants } from '#identity/setup-links';
import { clientData } from './client-event-data.js';
import { OAuthClientQuery } from './oauth-client.query.js';
import { OAuthClientRepository } from './oauth-client.repository.js';

/** Ends what clients can do with the accounts of their owners, and setup links with the clients that created them. */
@Injectable()
export class ClientAccessService implements OnModuleInit {
  constructor(
    private readonly clients: OAuthClientRepository,
    private readonly clientQuery: OAuthClientQuery,
    private readonly work: UnitOfWork,
    private readonly config: AppConfig,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly accountAccess: AccountAccess,
    private readonly machineClients: MachineClientGrants,
  ) {}

  onModuleInit(): void {
    this.accountAccess.register((ctx, owner, removal) => this.disableAll(ctx, owner, removal));
    this.machineClients.register((ctx, id) => this.listGrants(ctx, id));
  }

  /** Disables the clients of a user who loses all access to the account, because the person with the access knows their secrets. */
  private async disableAll(ctx: RequestContext, { user }: UserWithOrganization, { signIn }: AccessRemoval): Promise<void> {
    for (const client of await this.clients.listEnabledOf(ctx, user, [user.tenantId, ...user.guestTenantIds])) {
      await this.clients.disable(ctx, client, this.work.now(), signIn);
      const organization = client.organizationId && (await this.organizationScopes.findScope(ctx, client.organizationId));
      if (!organization) continue;
      const data = {
        ...clientData({ ...client, enabled: false }, organization.id),
        changes: { enabled: { from: true, to: false } },
      };
      await this.work.publish(ctx, 'oauth_client.updated', organization, data);
    }
  }

  /** Returns the scopes for the API of this service that a client can request without a user. */
  private async listGrants(ctx: RequestContext, id: string): Promise<Grant[]> {
    const client = await this.clientQuery.findById(ctx, id, this.work.now());
    if (!client?.isActive || !client.organization || !client.grantTypes.includes('client_credentials')) return [];
    return [
      {
        organizationId: client.organization.id,
        permissions: (client.resourceScopes[this.config.baseUrl] ?? []).flatMap(permissionsOfScope),
      },
    ];
  }
}
