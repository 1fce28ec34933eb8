import { Injectable } from '@nestjs/common';
import { PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { newClient } from '../clients/client-values.js';
import { DEVICE_CODE_GRANT } from '../clients/oauth-client.entity.js';
import { OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OAuthClientRepository } from '../clients/oauth-client.repository.js';

/** The `client_id` of the command-line program, the same in every installation (packages/cli). */
const COMMAND_LINE_CLIENT_ID = 'app_command_line';

/** What the commands of the program can do for a user. */
const SCOPES = ['organizations:*', 'users:*', 'members:*', 'roles:read', 'api_keys:*', 'webhooks:*', 'events:read'];

/** Creates the client with which users sign in to the command-line program, so that the program works without any preparation. */
@Injectable()
export class CommandLineClientService {
  private isEnsured = false;

  constructor(
    private readonly clients: OAuthClientRepository,
    private readonly clientQuery: OAuthClientQuery,
    private readonly work: UnitOfWork,
    private readonly config: AppConfig,
  ) {}

  /** Creates the client unless the installation has it, also disabled. Asks the database once for each process. */
  async ensure(ctx: RequestContext): Promise<void> {
    if (this.isEnsured) return;
    const home = { tenantId: PLATFORM_TENANT, organizationId: null };
    await this.work.run(ctx, async (ctx) => {
      // Locks the platform's clients, so that two processes don't create the client at once.
      await this.clients.countLocked(ctx, home);
      if (await this.clients.find(ctx, home, COMMAND_LINE_CLIENT_ID)) return;
      const values = newClient(
        {
          name: 'Command line',
          type: 'native',
          grantTypes: [DEVICE_CODE_GRANT, 'refresh_token'],
          scopes: ['openid', 'offline_access'],
          resources: [{ identifier: this.config.baseUrl, scopes: SCOPES }],
        },
        this.work.now(),
      );
      const owner = { createdByType: 'platform', createdById: null, ownerTenantId: null, ownerId: null };
      const client = Object.assign(values, home, owner, { id: COMMAND_LINE_CLIENT_ID });
      await this.clients.insert(ctx, client, unneeded<'gain'>('platform_client'));
      await this.clientQuery.insertHash(ctx, client);
    });
    this.isEnsured = true;
  }
}
