import { Injectable } from '@nestjs/common';
import { type FieldProblem, GRANTABLE_SCOPES, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { OAuthClient, ResourceScopes } from '../clients/oauth-client.entity.js';
import { type ScopedResource, OAuthResourceQuery, type OrganizationPath } from './oauth-resource.query.js';

/** Knows the resources that a client can use: those of its organization, of the ancestors and of the platform, and this service's API. */
@Injectable()
export class ResourceScopesService {
  constructor(
    private readonly resourceQuery: OAuthResourceQuery,
    private readonly config: AppConfig,
  ) {}

  /** Returns the problems of the resources and scopes that a client of the context's organization requests. */
  async findProblems(ctx: RequestContext, { resourceScopes }: Pick<OAuthClient, 'resourceScopes'>): Promise<FieldProblem[]> {
    const identifiers = Object.keys(resourceScopes);
    if (identifiers.length === 0) return [];
    const known = await this.listKnown(ctx, ctx.organization ?? null, identifiers);
    return identifiers.flatMap((identifier, index) => this.problemsOf(known.get(identifier), identifier, resourceScopes, index));
  }

  /** Returns the names of the scopes of resources by identifier. */
  async listKnown(
    ctx: RequestContext,
    organization: OrganizationPath | null,
    identifiers: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const others = identifiers.filter((identifier) => identifier !== this.config.baseUrl);
    const resources = others.length === 0 ? [] : await this.listResources(ctx, organization, others);
    return new Map([
      [this.config.baseUrl, GRANTABLE_SCOPES] as const,
      ...resources.map(({ identifier, scopes }) => [identifier, scopes.map(({ name }) => name)] as const),
    ]);
  }

  /** Reads the resources of the organization first, so that one lookup is enough for most clients. */
  async listResources(
    ctx: RequestContext,
    organization: OrganizationPath | null,
    identifiers: readonly string[],
  ): Promise<ScopedResource[]> {
    const own = organization ? await this.resourceQuery.listOfOrganizations(ctx, organization, identifiers) : [];
    if (own.length === identifiers.length) return own;
    return [...own, ...(await this.resourceQuery.listOfPlatform(ctx, identifiers))];
  }

  private problemsOf(
    known: readonly string[] | undefined,
    identifier: string,
    resourceScopes: ResourceScopes,
    index: number,
  ): FieldProblem[] {
    const pointer = `/resources/${index}`;
    if (!known) {
      const message = `The resource "${identifier}" does not exist in this organization or its ancestors. Create it first, or use ${this.config.baseUrl} for the API of this service.`;
      return [{ pointer: `${pointer}/identifier`, in: 'body', code: 'not_found', message }];
    }
    const unknown = (resourceScopes[identifier] ?? []).filter((scope) => !known.includes(scope));
    if (unknown.length === 0) return [];
    const message = `The resource "${identifier}" has no scopes with these names: ${unknown.join(', ')}.`;
    return [{ pointer: `${pointer}/scopes`, in: 'body', code: 'invalid_choice', message }];
  }
}
