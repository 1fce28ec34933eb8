import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  changesBetween,
  assertUnchanged,
  newId,
  organizationOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { DOMAINS_PER_ORGANIZATION_MAX, DomainLimit } from './domain-errors.js';
import { Domain } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import type { CreateDomainRequest, UpdateDomainRequest } from './domain.requests.js';
import { domainData } from './domains.definitions.js';

/** Manages the domains of the organization in the request. Domains of other organizations are not found. */
@Injectable()
export class DomainsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, request: PageRequest): Promise<Page<Domain>> {
    return this.domains.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<Domain> {
    const domain = await this.domains.find(ctx, organizationOf(ctx), id);
    if (!domain) throw new ResourceNotFound('domain', id);
    return domain;
  }

  /** @throws DomainNameTaken (409), DomainLimit (409) */
  async create(ctx: RequestContext, request: CreateDomainRequest): Promise<Domain> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      if ((await this.domains.countLocked(ctx, organization)) >= DOMAINS_PER_ORGANIZATION_MAX) throw new DomainLimit();
      const now = this.work.now();
      const domain = Object.assign(new Domain(), {
        tenantId: organization.tenantId,
        id: newId('domain'),
        organizationId: organization.id,
        name: request.name,
        description: request.description ?? null,
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<Domain, 'version'>);
      await this.domains.insert(ctx, domain);
      await this.work.publish(ctx, 'domain.created', organization, domainData(domain));
      return domain;
    });
  }

  /** @throws ResourceNotFound (404), DomainNameTaken (409), PreconditionFailed (412) */
  async update(ctx: RequestContext, id: string, request: UpdateDomainRequest): Promise<Domain> {
    return this.work.run(ctx, async (ctx) => {
      const domain = await this.lock(ctx, id);
      const before = domainData(domain);
      domain.name = request.name ?? domain.name;
      if (request.description !== undefined) domain.description = request.description;
      const changes = changesBetween(before, domainData(domain));
      if (Object.keys(changes).length === 0) return domain;
      domain.updatedAt = this.work.now();
      await this.domains.update(ctx, domain);
      const data = { ...domainData(domain), changes };
      await this.work.publish(ctx, 'domain.updated', organizationOf(ctx), data);
      return domain;
    });
  }

  /** @throws ResourceNotFound (404), PreconditionFailed (412) */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const domain = await this.lock(ctx, id);
      await this.domains.delete(ctx, domain);
      await this.work.publish(ctx, 'domain.deleted', organizationOf(ctx), domainData(domain));
    });
  }

  /** Deletes the domains of purged organizations, in the transaction of the purge. */
  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.domains.deleteByOrganizations(ctx, tenantId, organizationIds);
  }

  private async lock(ctx: RequestContext, id: string): Promise<Domain> {
    const domain = await this.domains.lock(ctx, organizationOf(ctx), id);
    if (!domain) throw new ResourceNotFound('domain', id);
    assertUnchanged(ctx, domain.version);
    return domain;
  }
}
