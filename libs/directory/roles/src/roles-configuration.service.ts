import { Injectable, type OnModuleInit } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import {
  type AffectedCount,
  type ConfigurationHandler,
  ConfigurationHandlers,
  defineConfigurationSection,
  type StoredItem,
} from '#platform/configuration-sections';
import { RoleChangesService } from './role-changes.service.js';
import { RoleConfiguration } from './role.requests.js';
import { RoleUsage } from './role-usage.js';
import { RoleRepository } from './role.repository.js';

const SECTION = defineConfigurationSection('roles', {
  type: RoleConfiguration,
  description: 'Custom roles of the organization.',
  maxItems: 500,
  key: 'name',
  permissions: { read: 'roles:read', write: 'roles:write' },
  rank: 1,
});

/** The roles of organizations in their configuration. */
@Injectable()
export class RolesConfigurationService implements ConfigurationHandler<RoleConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly roles: RoleRepository,
    private readonly changes: RoleChangesService,
    private readonly usage: RoleUsage,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const roles = await this.roles.listOwn(ctx, organizationOf(ctx));
    return roles.map(({ id, name, description, permissions }) => ({ id, values: { name, description, permissions } }));
  }

  create(ctx: RequestContext, { name, description, permissions }: RoleConfiguration): Promise<unknown> {
    return this.changes.create(ctx, { name, ...(description ? { description } : {}), ...(permissions ? { permissions } : {}) });
  }

  update(ctx: RequestContext, { id }: StoredItem, changes: Partial<RoleConfiguration>): Promise<unknown> {
    return this.changes.update(ctx, id, changes);
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.changes.delete(ctx, id, undefined);
  }

  async listAffected(ctx: RequestContext, { id }: StoredItem): Promise<AffectedCount[]> {
    const uses = await this.usage.listUses(ctx, organizationOf(ctx).tenantId, id);
    return uses.map(({ by, count }) => ({ by, count }));
  }
}
