import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { EffectiveSettingsService } from './effective-settings.service.js';
import type { Branding } from './organization.entity.js';
import { OrganizationScopeQuery } from './organization-scope.query.js';

/** The branding of an organization's emails, and the language of emails to recipients without a locale. */
export interface MailDefaults {
  readonly branding: Branding;
  readonly defaultLocale: string;
}

@Injectable()
export class MailDefaultsService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {}

  async get(
    ctx: RequestContext,
    organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
  ): Promise<MailDefaults> {
    const branding = await this.scopes.getBranding(ctx, organization);
    const { values } = await this.effectiveSettings.get(ctx, organization);
    return { branding, defaultLocale: values.defaultLocale };
  }
}
