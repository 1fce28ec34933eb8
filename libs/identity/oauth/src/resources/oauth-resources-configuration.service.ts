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
import { RESOURCES_PER_ORGANIZATION_MAX } from './oauth-resource-errors.js';
import { OauthResourceConfiguration, type ResourceScopeRequest } from './oauth-resource.requests.js';
import { OAuthResourcesService } from './oauth-resources.service.js';

const SECTION = defineConfigurationSection('oauthResources', {
  type: OauthResourceConfiguration,
  description: 'OAuth resources of the organization.',
  maxItems: RESOURCES_PER_ORGANIZATION_MAX,
  key: 'identifier',
  permissions: { read: 'oauth_resources:read', write: 'oauth_resources:write' },
  rank: 3,
});

/** The OAuth resources of organizations in their configuration. */
@Injectable()
export class OAuthResourcesConfigurationService implements ConfigurationHandler<OauthResourceConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly resources: OAuthResourcesService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const resources = await readAll((request) => this.resources.list(ctx, request));
    return resources.map(({ id, identifier, name, scopes }) => ({
      id,
      values: { identifier, name, scopes: scopes.map((scope) => withoutNull(scope)) },
    }));
  }

  async normalize(_ctx: RequestContext, { scopes, ...values }: ConfigurationValues): Promise<ConfigurationValues> {
    return { ...values, scopes: (scopes as ResourceScopeRequest[]).map((scope) => withoutNull(scope)) };
  }

  create(ctx: RequestContext, resource: OauthResourceConfiguration): Promise<unknown> {
    return this.resources.create(ctx, resource);
  }

  update(ctx: RequestContext, { id }: StoredItem, changes: Partial<OauthResourceConfiguration>): Promise<unknown> {
    return this.resources.update(ctx, id, changes);
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.resources.delete(ctx, id);
  }
}

const withoutNull = ({ name, description }: { readonly name: string; readonly description?: string | null }): object =>
  description === null || description === undefined ? { name } : { name, description };
