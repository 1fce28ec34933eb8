import { Injectable } from '@nestjs/common';
import { type FieldProblem, GRANTABLE_SCOPES, type RequestContext, STANDARD_SCOPES } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { OAuthClient, ResourceScopes } from '../clients/oauth-client.entity.js';
import { type ScopedResource, OAuthResourceQuery, type OrganizationPath } from './oauth-resource.query.js';

/** Knows the resources that a client can use: those of its organization, of the ancestors and of the platform, and this service's API. */
@Injectable()
export class ResourceScopesService {
  constructor(
    private readonly resourceQuery: OAuthResourceQuery,
    private readonly config: AppConfig,
  ) {}

  /** Returns the problems of the resources, scopes and audiences of a client of the context's organization. */
  async findProblems(
    ctx: RequestContext,
    { resourceScopes, audiences }: Pick<OAuthClient, 'resourceScopes' | 'audiences'>,
  ): Promise<FieldProblem[]> {
    const identifiers = Object.keys(resourceScopes);
    if (identifiers.length + audiences.length === 0) return [];
    const known = await this.listKnown(ctx, ctx.organization ?? null, [...new Set([...identifiers, ...audiences])]);
    return [
      ...identifiers.flatMap((identifier, index) => this.problemsOf(known.get(identifier), identifier, resourceScopes, index)),
      ...audiences.flatMap((identifier, index) => this.problemOfAudience(known, identifier, index)),
    ];
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
      [this.config.baseUrl, [...GRANTABLE_SCOPES, ...STANDARD_SCOPES]] as const,
      ...resources.map(({ identifier, scopes }) => [identifier, scopes.map(({ name }) => name)] as const),
    ]);
  }

  /** Returns the scopes that a client can request for a resource, or undefined if it can't use the resource. */
  async findAllowed(
    ctx: RequestContext,
    { registration, resourceScopes, organization }: Pick<KnownClient, 'registration' | 'resourceScopes' | 'organization'>,
    identifier: string,
  ): Promise<readonly string[] | undefined> {
    if (registration) return this.findForAnybody(ctx, identifier);
    const allowed = resourceScopes[identifier];
    const existing = allowed && (await this.listKnown(ctx, organization, [identifier])).get(identifier);
    return existing && allowed.filter((scope) => existing.includes(scope));
  }

  /** Returns whether a resource belongs to an organization, one of its ancestors or the platform. */
  async isResourceOf(ctx: RequestContext, organization: OrganizationPath, identifier: string): Promise<boolean> {
    return identifier === this.config.baseUrl || (await this.listResources(ctx, organization, [identifier])).length > 0;
  }

  /** Returns the resources that a client that nobody created with the API requests: of any organization, until the user chooses one. */
  async listForAnybody(ctx: RequestContext, identifiers: readonly string[]): Promise<ScopedResource[]> {
    const found = await Promise.all(identifiers.map((identifier) => this.resourceQuery.findByIdentifier(ctx, identifier)));
    return found.filter((resource) => resource !== undefined);
  }

  /** An unknown client can't get all permissions at once. */
  private async findForAnybody(ctx: RequestContext, identifier: string): Promise<readonly string[] | undefined> {
    if (identifier === this.config.baseUrl) return GRANTABLE_SCOPES.filter((scope) => scope !== '*');
    const [resource] = await this.listForAnybody(ctx, [identifier]);
    return resource?.scopes.map(({ name }) => name);
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

  /** Tokens for the API of this service are for no program. */
  private problemOfAudience(known: ReadonlyMap<string, unknown>, identifier: string, index: number): FieldProblem[] {
    if (known.has(identifier) && identifier !== this.config.baseUrl) return [];
    const message = `The API "${identifier}" does not exist in this organization or its ancestors, or is the API of this service. Create it first as a resource.`;
    return [{ pointer: `/audiences/${index}`, in: 'body', code: 'not_found', message }];
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
