import { Injectable } from '@nestjs/common';
import { GRANTABLE_SCOPES, permissionsOfScope, type RequestContext, scopeDescription, STANDARD_SCOPES } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { ResourceScopes } from '../clients/oauth-client.entity.js';
import type { ResourceScope } from './oauth-resource.entity.js';
import { ResourceScopesService } from './resource-scopes.service.js';

/** A resource with scopes, in the words that its owner chose for users. */
export interface DescribedResource {
  readonly identifier: string;
  /** The identifier if the resource was deleted. */
  readonly name: string;
  readonly scopes: readonly ResourceScope[];
}

/** What a client can have or asks for. The client is null if it was deleted. */
export interface ClientScopes {
  readonly client: Pick<KnownClient, 'organization' | 'registration'> | null;
  readonly resourceScopes: ResourceScopes;
}

type Texts = ReadonlyMap<string, Pick<DescribedResource, 'name' | 'scopes'>>;

/** Describes resources and their scopes to users who are asked to allow them. */
@Injectable()
export class DescribedResourcesService {
  constructor(
    private readonly resourceScopes: ResourceScopesService,
    private readonly config: AppConfig,
  ) {}

  /** Returns the descriptions in the same order. Reads the resources of each organization of a client once. */
  async describe(ctx: RequestContext, requested: readonly ClientScopes[]): Promise<DescribedResource[][]> {
    const keys = requested.map(({ client }) => client?.registration ?? client?.organization?.id ?? '');
    const texts = new Map<string, Texts>();
    for (const key of new Set(keys))
      texts.set(
        key,
        await this.textsFor(
          ctx,
          requested.filter((_, index) => keys[index] === key),
        ),
      );
    return requested.map(({ resourceScopes }, index) => describedBy(texts.get(keys[index]!), resourceScopes));
  }

  private async textsFor(ctx: RequestContext, group: readonly ClientScopes[]): Promise<Texts> {
    const identifiers = new Set(group.flatMap(({ resourceScopes }) => Object.keys(resourceScopes)));
    const isOwnAsked = identifiers.delete(this.config.baseUrl);
    const organization = group[0]?.client?.organization ?? null;
    const list = group[0]?.client?.registration
      ? this.resourceScopes.listForAnybody(ctx, [...identifiers])
      : this.resourceScopes.listResources(ctx, organization, [...identifiers]);
    const found = identifiers.size === 0 ? [] : await list;
    const own = { name: this.config.serviceName, scopes: ownScopes() };
    return new Map([
      ...(isOwnAsked ? [[this.config.baseUrl, own] as const] : []),
      ...found.map(({ identifier, name, scopes }) => [identifier, { name, scopes }] as const),
    ]);
  }
}

const ownScopes = (): ResourceScope[] =>
  [...GRANTABLE_SCOPES, ...STANDARD_SCOPES].map((name) => ({
    name,
    description: permissionsOfScope(name).map(scopeDescription).join(' '),
  }));

const describedBy = (texts: Texts | undefined, resourceScopes: ResourceScopes): DescribedResource[] =>
  Object.entries(resourceScopes).map(([identifier, names]) => {
    const known = texts?.get(identifier);
    const descriptions = new Map(known?.scopes.map(({ name, description }) => [name, description]));
    return {
      identifier,
      name: known?.name ?? identifier,
      scopes: names.map((name) => ({ name, description: descriptions.get(name) ?? null })),
    };
  });
