import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type Branding, OrganizationScopeQuery } from '#directory/organizations';
import { type OpenedSetupLink, OpenedSetupLinksService } from './opened-setup-links.service.js';

/** What the page of a setup link shows. */
export interface SetupPage {
  readonly link: OpenedSetupLink;
  /** The branding of the organization of the link or of its nearest ancestor that has branding. */
  readonly branding: Branding;
}

/** Opens the pages of setup links. */
@Injectable()
export class SetupPagesService {
  constructor(
    private readonly openedSetupLinks: OpenedSetupLinksService,
    private readonly organizationScopes: OrganizationScopeQuery,
  ) {}

  /** @throws SetupLinkInvalid (401) */
  async open(ctx: RequestContext, token: string): Promise<SetupPage> {
    const link = await this.openedSetupLinks.open(ctx, token);
    return { link, branding: await this.organizationScopes.getBranding(ctx, link.organization) };
  }
}
