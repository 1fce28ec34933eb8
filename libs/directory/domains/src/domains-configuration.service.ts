import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import {
  type ConfigurationHandler,
  ConfigurationHandlers,
  type ConfigurationValues,
  defineConfigurationSection,
  readAll,
  type StoredItem,
} from '#platform/configuration-sections';
import { DOMAINS_PER_ORGANIZATION_MAX } from './domain-errors.js';
import { domainNameOf } from './domain-name.js';
import { DomainConfiguration } from './domain.requests.js';
import { DomainsService } from './domains.service.js';

const SECTION = defineConfigurationSection('domains', {
  type: DomainConfiguration,
  description: 'Domains of the organization. A new domain is `pending` until its DNS record is found.',
  maxItems: DOMAINS_PER_ORGANIZATION_MAX,
  key: 'name',
  permissions: { read: 'domains:read', write: 'domains:write' },
  rank: 1,
});

/** The domains of organizations in their configuration. */
@Injectable()
export class DomainsConfigurationService implements ConfigurationHandler<DomainConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly domains: DomainsService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const domains = await readAll((request) => this.domains.list(ctx, request));
    return domains.map(({ id, name }) => ({ id, values: { name } }));
  }

  async normalize(_ctx: RequestContext, { name }: ConfigurationValues): Promise<ConfigurationValues> {
    return { name: domainNameOf(name as string) };
  }

  create(ctx: RequestContext, domain: DomainConfiguration): Promise<unknown> {
    return this.domains.create(ctx, domain);
  }

  /** A domain has only a name, which identifies it. */
  async update(): Promise<void> {}

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.domains.delete(ctx, id);
  }
}
