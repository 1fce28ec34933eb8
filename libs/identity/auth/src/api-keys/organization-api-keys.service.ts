import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { ApiKeyQuery } from './api-key.query.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

/** Stops the API keys of a deleted organization on every instance, and deletes the API keys of a purged organization. */
@Injectable()
export class OrganizationApiKeysService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly query: ApiKeyQuery,
    private readonly handlers: OrganizationLifecycleHandlers,
    private readonly lookups: ApiKeyLookupService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  async onDeleted(ctx: RequestContext): Promise<void> {
    this.lookups.invalidate(ctx, '*');
  }

  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.query.deleteOfOrganizations(ctx, tenantId, organizationIds);
  }
}
