import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  assertUnchanged,
  changesBetween,
  type FieldProblem,
  InvalidRequest,
  newId,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { ReservedAudiences } from '#identity/session-access';
import { ClientPowerService } from '../clients/client-power.service.js';
import { OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OPENID_SCOPES } from '../clients/openid-scopes.js';
import type { OAuthResourceData } from '../oauth.definitions.js';
import { OAuthResourceIdentifierTaken, OAuthResourceLimit, RESOURCES_PER_ORGANIZATION_MAX } from './oauth-resource-errors.js';
import { OAuthResource, type ResourceScope } from './oauth-resource.entity.js';
import { OAuthResourceQuery } from './oauth-resource.query.js';
import { OAuthResourceRepository } from './oauth-resource.repository.js';
import { isBelow } from './resource-identifier.js';
import type { CreateOauthResourceRequest, ResourceScopeRequest, UpdateOauthResourceRequest } from './oauth-resource.requests.js';

/** The `client_id` of a client, which is the audience of its ID tokens. */
const CLIENT_ID = /^(?:app|dcr)_/i;

/** Manages the OAuth resources of the organization in the request, or of the platform if the request has no organization. */
@Injectable()
export class OAuthResourcesService implements OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly resources: OAuthResourceRepository,
    private readonly resourceQuery: OAuthResourceQuery,
    private readonly power: ClientPowerService,
    private readonly clientQuery: OAuthClientQuery,
    private readonly audiences: ReservedAudiences,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.audiences.register((ctx, audience) => this.isReserved(ctx, audience));
  }

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, request: PageRequest): Promise<Page<OAuthResource>> {
    return this.resources.list(ctx, this.power.homeOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<OAuthResource> {
    const resource = await this.resources.find(ctx, this.power.homeOf(ctx), id);
    if (!resource) throw new ResourceNotFound('oauth_resource', id);
    return resource;
  }

  /** @throws InvalidRequest (400), OAuthResourceIdentifierTaken, OAuthResourceLimit (409) */
  async create(ctx: RequestContext, { identifier, name, scopes }: CreateOauthResourceRequest): Promise<OAuthResource> {
    const home = this.power.homeOf(ctx);
    if (!URL.canParse(identifier)) {
      const message = 'identifier must be an absolute URI, such as https://api.example.com.';
      throw new InvalidRequest([{ pointer: '/identifier', in: 'body', code: 'invalid_format', message }]);
    }
    // A service that accepts tokens for this API would accept tokens for this service.
    if (isBelow(this.config.baseUrl, identifier)) throw new OAuthResourceIdentifierTaken(identifier);
    const now = this.work.now();
    const resource = Object.assign(new OAuthResource(), {
      ...home,
      id: newId('oauthResource'),
      identifier,
      name,
      scopes: storedScopes(scopes),
      createdAt: now,
      updatedAt: now,
    } satisfies Omit<OAuthResource, 'version'>);
    return this.work.run(ctx, async (ctx) => {
      if ((await this.resources.countLocked(ctx, home)) >= RESOURCES_PER_ORGANIZATION_MAX) throw new OAuthResourceLimit();
      await this.resourceQuery.claimIdentifier(ctx, resource);
      await this.resources.insert(ctx, resource);
      await this.publish(ctx, 'oauth_resource.created', resource);
      return resource;
    });
  }

  /** @throws InvalidRequest (400), GrantBeyondOwn (403), ResourceNotFound (404), PreconditionFailed (412) */
  async update(ctx: RequestContext, id: string, { name, scopes }: UpdateOauthResourceRequest): Promise<OAuthResource> {
    return this.work.run(ctx, async (ctx) => {
      const resource = await this.lock(ctx, id);
      const organizationId = resource.organizationId ?? '';
      const before = resourceData(resource, organizationId);
      if (name !== undefined) resource.name = name;
      if (scopes) resource.scopes = storedScopes(scopes);
      await this.authorizeScopes(ctx, resource, new Set(before.scopes.map((each) => each.name)));
      const changes = changesBetween(before, resourceData(resource, organizationId));
      if (Object.keys(changes).length === 0) return resource;
      resource.updatedAt = this.work.now();
      await this.resources.update(ctx, resource);
      if (ctx.organization) {
        const data = { ...resourceData(resource, organizationId), changes };
        await this.work.publish(ctx, 'oauth_resource.updated', ctx.organization, data);
      }
      return resource;
    });
  }

  /** The identifier stays claimed for the tenant. @throws GrantBeyondOwn (403), ResourceNotFound (404), PreconditionFailed (412) */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const resource = await this.lock(ctx, id);
      const previous = new Set(resource.scopes.map((each) => each.name));
      await this.authorizeScopes(ctx, { ...resource, scopes: [] }, previous);
      await this.resources.delete(ctx, resource);
      await this.publish(ctx, 'oauth_resource.deleted', resource);
    });
  }

  /** Clients that have a scope lose it when it is removed, and get it back when it returns, so the caller needs it. @throws GrantBeyondOwn (403) */
  private async authorizeScopes(
    ctx: RequestContext,
    { tenantId, identifier, scopes }: Pick<OAuthResource, 'tenantId' | 'identifier' | 'scopes'>,
    previous: ReadonlySet<string>,
  ): Promise<void> {
    const next = new Set(scopes.map(({ name }) => name));
    const changed = [...previous].filter((name) => !next.has(name)).concat([...next].filter((name) => !previous.has(name)));
    if (changed.length === 0) return;
    const used = await this.resourceQuery.listUsedScopes(ctx, tenantId, identifier);
    this.power.authorizeScopes(
      ctx,
      used.filter((name) => changed.includes(name)),
    );
  }

  /**
   * Returns whether an audience is only for tokens of OAuth clients: the identifier of a resource of any tenant, an address below BASE_URL, or
   * the id of a client. An API or a client could take another token of the same issuer for an access token or ID token of OAuth.
   */
  private async isReserved(ctx: RequestContext, audience: string): Promise<boolean> {
    // The API of this service accepts no JWT, so a token for it can't be taken for one of OAuth.
    if (audience === this.config.baseUrl) return false;
    if (CLIENT_ID.test(audience) || isBelow(this.config.baseUrl, audience)) return true;
    if (await this.resourceQuery.isClaimed(ctx, audience)) return true;
    // The address of a metadata document is the id of its client.
    const clientId = URL.canParse(audience) ? new URL(audience).href : audience;
    return (await this.clientQuery.findById(ctx, clientId, this.work.now())) !== undefined;
  }

  private async lock(ctx: RequestContext, id: string): Promise<OAuthResource> {
    const resource = await this.resources.lock(ctx, this.power.homeOf(ctx), id);
    if (!resource) throw new ResourceNotFound('oauth_resource', id);
    assertUnchanged(ctx, resource.version);
    return resource;
  }

  private async publish(
    ctx: RequestContext,
    type: 'oauth_resource.created' | 'oauth_resource.deleted',
    resource: OAuthResource,
  ): Promise<void> {
    if (ctx.organization) await this.work.publish(ctx, type, ctx.organization, resourceData(resource, ctx.organization.id));
  }
}

/** @throws InvalidRequest (400) for a name that has another meaning, or occurs twice */
function storedScopes(scopes: readonly ResourceScopeRequest[]): ResourceScope[] {
  const names = scopes.map(({ name }) => name);
  const problems = names.flatMap((name, index): FieldProblem[] => {
    const isReserved = OPENID_SCOPES.includes(name);
    if (!isReserved && names.indexOf(name) === index) return [];
    const reason = isReserved ? 'is a scope of OpenID Connect' : 'occurs twice';
    const message = `The scope "${name}" ${reason}. Choose another name.`;
    return [{ pointer: `/scopes/${index}/name`, in: 'body', code: 'invalid_choice', message }];
  });
  if (problems.length > 0) throw new InvalidRequest(problems);
  return scopes.map(({ name, description = null }) => ({ name, description }));
}

const resourceData = ({ id, identifier, name, scopes, createdAt }: OAuthResource, organizationId: string): OAuthResourceData => ({
  id,
  organizationId,
  identifier,
  name,
  scopes: [...scopes],
  createdAt: createdAt.toISOString(),
});
