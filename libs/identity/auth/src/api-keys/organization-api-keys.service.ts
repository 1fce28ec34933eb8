import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { ApiKeyQuery } from './api-key.query.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

/** Clears the key caches of all processes when an organization is suspended, activated or deleted, and deletes the API keys of purged organizations. */
@Injectable()
export class OrganizationApiKeysService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly handlers: OrganizationLifecycleHandlers,
    private readonly apiKeyLookup: ApiKeyLookupService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  onStatusChanged(ctx: RequestContext): void {
    this.apiKeyLookup.invalidate(ctx, '*');
  }

  async onDeleted(ctx: RequestContext): Promise<void> {
    this.apiKeyLookup.invalidate(ctx, '*');
  }

  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.apiKeyQuery.deleteOfOrganizations(ctx, tenantId, organizationIds, loss);
  }
}
