import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { type OwnerCheck, OwnerCheckLoop, UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { ApiKeyQuery, type OwnedKey } from './api-key.query.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

/**
 * Flags API keys whose owner is suspended, deleted or lacks permissions of the key. Disables flagged keys
 * if the organization sets `disableFlaggedApiKeys`. Removes the flag, and enables the key, when the reason no longer applies.
 */
@Injectable()
export class ApiKeyOwnerCheckService extends OwnerCheckLoop<OwnedKey> {
  constructor(
    config: AppConfig,
    grants: UserGrantsQuery,
    settings: EffectiveSettingsService,
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly apiKeyLookup: ApiKeyLookupService,
    private readonly work: UnitOfWork,
  ) {
    super(config, 'ApiKeyOwnerCheck', grants, settings);
  }

  protected next(ctx: RequestContext, after: OwnedKey | undefined, limit: number): Promise<OwnedKey[]> {
    return this.apiKeyQuery.listOwned(ctx, this.work.now(), after, limit);
  }

  protected needs({ scopes }: OwnedKey): readonly string[] {
    return scopes;
  }

  protected async apply(ctx: RequestContext, key: OwnedKey, { flag, missing, settings }: OwnerCheck): Promise<void> {
    const isDisabled = flag !== null && settings.disableFlaggedApiKeys;
    if (flag === key.flag && isDisabled === key.isDisabled) return;
    await this.work.run(ctx, async (ctx) => {
      const authorization = { gain: unneeded<'gain'>('owner_check'), loss: unneeded<'loss'>('owner_check') };
      if (!(await this.apiKeyQuery.setFlag(ctx, key, flag, isDisabled, this.work.now(), authorization))) return;
      const { id, name, prefix, scopes } = key;
      const data = { id, name, prefix, scopes: [...scopes], flag, missing: [...missing], disabled: isDisabled };
      await this.work.publish(ctx, 'security.api_key_flagged', key.organization, data);
      this.apiKeyLookup.invalidate(ctx, id);
    });
  }
}
