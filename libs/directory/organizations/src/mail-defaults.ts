import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { EffectiveSettings } from './effective-settings.js';
import type { Branding } from './organization.entity.js';
import { OrganizationScopes } from './organization-scopes.query.js';

/** Branding of an organization's mails, and their language for readers without a locale. */
export interface MailDefaults {
  readonly branding: Branding;
  readonly defaultLocale: string;
}

/** Reads what all mails of an organization have in common. */
@Injectable()
export class MailDefaultsQuery {
  constructor(
    private readonly scopes: OrganizationScopes,
    private readonly settings: EffectiveSettings,
  ) {}

  async get(
    ctx: RequestContext,
    organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
  ): Promise<MailDefaults> {
    const branding = await this.scopes.brandingOf(ctx, organization);
    const { values } = await this.settings.of(ctx, organization);
    return { branding, defaultLocale: values.defaultLocale };
  }
}
