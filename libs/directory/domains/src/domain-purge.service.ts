import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { DomainRepository } from './domain.repository.js';
import { VerifiedDomainQuery } from './verified-domain.query.js';

/** Deletes the domains of purged organizations. */
@Injectable()
export class DomainPurgeService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly domains: DomainRepository,
    private readonly verifiedDomains: VerifiedDomainQuery,
    private readonly handlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.verifiedDomains.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
    await this.domains.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
  }
}
