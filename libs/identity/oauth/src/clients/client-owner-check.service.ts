import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { type OwnerCheck, OwnerCheckLoop, UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService } from '#directory/organizations';
import { ClientOwnerQuery, type OwnedClient } from './client-owner.query.js';
import { permissionsOf } from './oauth-client.entity.js';

/** Flags OAuth clients whose owner is no longer suitable, by the rules of API keys (`ApiKeyOwnerCheckService`). */
@Injectable()
export class ClientOwnerCheckService extends OwnerCheckLoop<OwnedClient> {
  constructor(
    private readonly config: AppConfig,
    grants: UserGrantsQuery,
    settings: EffectiveSettingsService,
    private readonly clientOwners: ClientOwnerQuery,
    private readonly work: UnitOfWork,
  ) {
    super(config, 'ClientOwnerCheck', grants, settings);
  }

  protected next(ctx: RequestContext, after: OwnedClient | undefined, limit: number): Promise<OwnedClient[]> {
    return this.clientOwners.listOwned(ctx, this.work.now(), after, limit);
  }

  protected needs({ resourceScopes }: OwnedClient): readonly string[] {
    return permissionsOf(resourceScopes, this.config.baseUrl);
  }

  protected async apply(ctx: RequestContext, client: OwnedClient, { flag, missing, settings }: OwnerCheck): Promise<void> {
    const isDisabled = flag !== null && settings.disableFlaggedApiKeys;
    if (flag === client.flag && isDisabled === client.isDisabled) return;
    await this.work.run(ctx, async (ctx) => {
      if (!(await this.clientOwners.setFlag(ctx, client, flag, isDisabled, this.work.now()))) return;
      const { id, name, organization } = client;
      const data = { id, organizationId: organization.id, name, flag, missing: [...missing], disabled: isDisabled };
      await this.work.publish(ctx, 'oauth_client.flagged', organization, data);
    });
  }
}
