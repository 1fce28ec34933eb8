import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import {
  type ConfigurationHandler,
  ConfigurationHandlers,
  defineConfigurationSection,
  readAll,
  type StoredItem,
} from '#platform/configuration-sections';
import { CONNECTIONS_PER_ORGANIZATION_MAX } from './scim-connection-errors.js';
import { ScimConnectionConfiguration } from './scim-connection.requests.js';
import { ScimConnectionsService } from './scim-connections.service.js';

const SECTION = defineConfigurationSection('scimConnections', {
  type: ScimConnectionConfiguration,
  description: 'SCIM connections of the organization, without tokens. New connections are active.',
  maxItems: CONNECTIONS_PER_ORGANIZATION_MAX,
  key: 'name',
  permissions: { read: 'scim:read', write: 'scim:write' },
  rank: 3,
});

/** The SCIM connections of organizations in their configuration. */
@Injectable()
export class ScimConnectionsConfigurationService implements ConfigurationHandler<ScimConnectionConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly connections: ScimConnectionsService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const connections = await readAll((request) => this.connections.list(ctx, request));
    return connections.map(({ id, name, adoptExistingUsers, allowLocalChanges, maxRemovals, maxRemovalPercent }) => {
      return { id, values: { name, adoptExistingUsers, allowLocalChanges, maxRemovals, maxRemovalPercent } };
    });
  }

  create(ctx: RequestContext, connection: ScimConnectionConfiguration): Promise<unknown> {
    return this.connections.create(ctx, connection);
  }

  update(ctx: RequestContext, { id }: StoredItem, changes: Partial<ScimConnectionConfiguration>): Promise<unknown> {
    return this.connections.update(ctx, id, changes);
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.connections.delete(ctx, id);
  }
}
