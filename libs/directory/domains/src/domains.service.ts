import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  domainOfEmail,
  newId,
  organizationOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  setupLinkOf,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import {
  DomainVerification,
  type OrganizationLifecycleHandler,
  OrganizationLifecycleHandlers,
  OrganizationScopeQuery,
} from '#directory/organizations';
import { type LossAuthorization, unneeded } from '#directory/privileges';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainLimit, DOMAINS_PER_ORGANIZATION_MAX } from './domain-errors.js';
import { domainNameOf } from './domain-name.js';
import { Domain } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import type { CreateDomainRequest } from './domain.requests.js';
import { domainData } from './domains.definitions.js';
import { VerifiedDomainQuery } from './verified-domain.query.js';

const TOKEN_BYTES = 24;

/** Manages the domains of the organization in the request. Domains of other organizations are not found. */
@Injectable()
export class DomainsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly verifiedDomains: VerifiedDomainQuery,
    private readonly checks: DomainChecksService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly verification: DomainVerification,
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

  /** @throws InvalidRequest (400), DomainNameTaken (409), DomainLimit (409) */
  async create(ctx: RequestContext, request: CreateDomainRequest): Promise<Domain> {
    const name = domainNameOf(request.name);
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      if ((await this.domains.countLocked(ctx, organization)) >= DOMAINS_PER_ORGANIZATION_MAX) throw new DomainLimit();
      const now = this.work.now();
      const domain = Object.assign(new Domain(), {
        tenantId: organization.tenantId,
        id: newId('domain'),
        organizationId: organization.id,
        name,
        token: randomBytes(TOKEN_BYTES).toString('base64url'),
        status: 'pending',
        lastError: null,
        verifiedAt: null,
        checkedAt: null,
        failingSince: null,
        nextCheckAt: now,
        setupLinkId: setupLinkOf(ctx),
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<Domain, 'version'>);
      await this.domains.insert(ctx, domain);
      await this.work.publish(ctx, 'domain.created', organization, domainData(domain));
      return domain;
    });
  }

  /** Checks the DNS record of a domain now. @throws ResourceNotFound (404) */
  async verify(ctx: RequestContext, id: string): Promise<Domain> {
    return this.checks.check(ctx, await this.get(ctx, id));
  }

  /** @throws ResourceNotFound (404), DomainTrusted (409) */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const domain = await this.domains.lock(ctx, organizationOf(ctx), id);
      if (!domain) throw new ResourceNotFound('domain', id);
      if (domain.status === 'verified') await this.verification.assertNotTrusted(ctx, organizationOf(ctx), domain.name);
      const policy = unneeded<'policy'>('domain_untrusted');
      await this.verifiedDomains.delete(ctx, domain, policy);
      await this.domains.delete(ctx, domain, policy);
      await this.work.publish(ctx, 'domain.deleted', organizationOf(ctx), domainData(domain));
    });
  }

  /** Returns the organization that has verified the domain of an email address, or null. */
  async findOwnerOf(ctx: RequestContext, email: string): Promise<OrganizationScope | null> {
    const name = domainOfEmail(email);
    const owner = name === undefined ? undefined : await this.verifiedDomains.find(ctx, name);
    return owner ? this.scopes.findById(ctx, { tenantId: owner.tenantId, id: owner.organizationId }) : null;
  }

  /** Deletes the domains of purged organizations, in the transaction of the purge. */
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
