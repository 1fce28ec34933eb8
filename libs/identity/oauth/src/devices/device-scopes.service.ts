import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { OPENID_SCOPES } from '../clients/openid-scopes.js';
import type { AskedScopes } from '../interactions/interactions.service.js';
import { ResourceScopesService } from '../resources/resource-scopes.service.js';
import { scopesOf } from '../tokens/claims.service.js';
import type { DeviceRequest } from './device-requests.service.js';

/** Knows what a device asks for, without what its client can't have. */
@Injectable()
export class DeviceScopesService {
  constructor(private readonly resourceScopes: ResourceScopesService) {}

  async find(ctx: RequestContext, { client, payload: { params } }: DeviceRequest): Promise<AskedScopes> {
    const requested = scopesOf(params.scope);
    const identifiers = [params.resource ?? []].flat();
    const known = await this.resourceScopes.listKnown(ctx, client.organization, identifiers);
    const allowedOf = (identifier: string): string[] =>
      requested.filter((scope) => client.resourceScopes[identifier]?.includes(scope) && known.get(identifier)?.includes(scope));
    return {
      scopes: requested.filter((scope) => OPENID_SCOPES.includes(scope) && client.scopes.includes(scope)),
      resourceScopes: Object.fromEntries(identifiers.map((identifier) => [identifier, allowedOf(identifier)])),
    };
  }
}
