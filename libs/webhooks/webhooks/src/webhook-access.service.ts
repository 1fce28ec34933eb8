import { Injectable } from '@nestjs/common';
import { type OrganizationScope, type RequestContext, ResourceNotFound } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { PrivilegesService } from '#directory/privileges';
import type { WebhookDetails } from './webhook-details.query.js';

/** Decides whether the caller can have the events of an organization sent to a destination. */
@Injectable()
export class WebhookAccessService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly privileges: PrivilegesService,
  ) {}

  /** @throws EventsReadRequired (403), ReauthenticationRequired (401) */
  assertCanCopyEvents(ctx: RequestContext, organization: OrganizationScope): void {
    this.privileges.assertCanCopyEvents(ctx, organization);
  }

  /** @throws EventsReadRequired (403) */
  assertCanReadEvents(ctx: RequestContext, organization: OrganizationScope): void {
    this.privileges.assertCanReadEvents(ctx, organization);
  }

  /**
   * The caller gets or sets a signing secret, which outlasts break-glass access. Needs a fresh proof.
   * @throws ResourceNotFound, GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async assertCanKnowSecret(ctx: RequestContext, webhook: WebhookDetails): Promise<void> {
    const organization = await this.organizationOf(ctx, webhook);
    this.privileges.authorizePermissions(ctx, organization, 'The signing secret', ['webhooks:write']);
  }

  /** Returns the organization of a webhook. @throws ResourceNotFound */
  async organizationOf(
    ctx: RequestContext,
    webhook: Pick<WebhookDetails, 'tenantId' | 'organizationId' | 'id'>,
  ): Promise<OrganizationScope> {
    const [organization] = await this.scopes.listByIds(ctx, webhook.tenantId, [webhook.organizationId]);
    if (!organization) throw new ResourceNotFound('webhook', webhook.id);
    return organization;
  }
}
