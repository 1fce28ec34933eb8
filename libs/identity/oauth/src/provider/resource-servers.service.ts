import { Injectable } from '@nestjs/common';
import type { OrganizationScope } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { ResourceScopesService } from '../resources/resource-scopes.service.js';
import type { Library, ResourceServer } from './library.js';
import { currentRequest } from './oauth-request.js';
import { JWT_SECONDS, OWN_API_TOKEN_SECONDS } from './token-lifetimes.js';

/** Says which access tokens a client can have for an API. */
@Injectable()
export class ResourceServersService {
  constructor(
    private readonly resourceScopes: ResourceScopesService,
    private readonly config: AppConfig,
  ) {}

  /** Tokens for the API of this service are opaque, because each request looks them up. @throws InvalidTarget */
  async find(library: Library, identifier: string, client: KnownClient | undefined): Promise<ResourceServer> {
    const { ctx } = currentRequest();
    const scopes = client && (await this.resourceScopes.findAllowed(ctx, client, identifier));
    if (!scopes) throw new library.errors.InvalidTarget('the client has no access to this resource');
    const isOwn = identifier === this.config.baseUrl;
    return {
      audience: identifier,
      scope: scopes.join(' '),
      accessTokenFormat: isOwn ? 'opaque' : 'jwt',
      accessTokenTTL: isOwn ? OWN_API_TOKEN_SECONDS : JWT_SECONDS,
      jwt: { sign: { alg: 'ES256' } },
    };
  }

  /** Returns a resource that is not one of the organization, an ancestor or the platform. */
  async findForeign(identifiers: readonly string[], organization: OrganizationScope): Promise<string | undefined> {
    const { ctx } = currentRequest();
    for (const identifier of identifiers)
      if (!(await this.resourceScopes.isResourceOf(ctx, organization, identifier))) return identifier;
    return undefined;
  }
}
