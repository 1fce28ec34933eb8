import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { Forbidden } from '#identity/auth';

/** Who a stream belongs to: an OAuth client, or with `clientId` null the API keys of an organization. */
export interface StreamOwner {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly clientId: string | null;
}

/** A request of a receiver. The context has the organization of the receiver. */
export interface ReceiverRequest {
  readonly ctx: RequestContext & { readonly organization: OrganizationScope };
  readonly owner: StreamOwner;
}

/** Says for which receiver the caller of the endpoints acts. */
@Injectable()
export class StreamOwnersService {
  constructor(private readonly organizationScopes: OrganizationScopeQuery) {}

  /** @throws Forbidden (403) for callers that are neither a machine client nor an API key of an organization */
  async of(ctx: RequestContext): Promise<ReceiverRequest> {
    const { kind, id, organizationIds } = ctx.caller;
    const isMachine = kind === 'oauth' && ctx.delegation === undefined;
    const [organizationId] = kind === 'key' || isMachine ? (organizationIds ?? []) : [];
    const organization = organizationId ? await this.organizationScopes.findScope(ctx, organizationId) : null;
    if (!organization)
      throw new Forbidden(
        'Streams belong to OAuth clients and API keys of organizations. Send an access token of a machine client, or an API key of an organization.',
      );
    const owner = { tenantId: organization.tenantId, organizationId: organization.id, clientId: isMachine ? (id ?? null) : null };
    return { ctx: { ...ctx, organization }, owner };
  }
}
