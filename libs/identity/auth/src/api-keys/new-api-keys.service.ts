import { Injectable } from '@nestjs/common';
import { Clock, organizationOf, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { generateApiKey } from '#platform/crypto';
import { EffectiveSettingsService } from '#directory/organizations';

/** What the configuration and the settings of the organization say about new API keys. */
@Injectable()
export class NewApiKeysService {
  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  generate(): ReturnType<typeof generateApiKey> {
    return generateApiKey(this.config.serviceName);
  }

  /** Returns the latest expiry that the organization allows for a new API key; null for no limit. */
  async latestExpiry(ctx: RequestContext): Promise<Date | null> {
    const { maxApiKeyLifetime } = (await this.effectiveSettings.get(ctx, organizationOf(ctx))).values;
    return maxApiKeyLifetime === 0 ? null : new Date(this.clock.now().getTime() + maxApiKeyLifetime * 1_000);
  }
}
