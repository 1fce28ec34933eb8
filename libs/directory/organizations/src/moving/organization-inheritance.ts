import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';

type OrganizationKey = Pick<OrganizationScope, 'tenantId' | 'id'>;

/** A user, an API key or a machine client. */
export interface PermissionHolder {
  readonly type: 'user' | 'api_key' | 'oauth_client';
  readonly id: string;
  /** Email address of the user, or name of the API key or client. */
  readonly name: string | null;
}

/** Permissions of a user, an API key or a machine client in an organization, which the descendants of the organization inherit. */
export interface InheritedGrant {
  readonly holder: PermissionHolder;
  readonly organizationId: string;
  readonly source: 'assignment' | 'group' | 'break_glass' | 'api_key' | 'oauth_client';
  /** The group through which the user has the role, if the source is a group. */
  readonly group?: { readonly id: string; readonly name: string | null };
  /** The role of the user. Absent for an API key or a client. */
  readonly role?: { readonly id: string; readonly name: string };
  readonly permissions: readonly string[];
}

/** A webhook that receives the events of an organization and its descendants. */
export interface InheritedWebhook {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
}

/** A custom role, which is visible in its organization and in the descendants of its organization. */
export interface InheritedRole {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  /** Whether only deleted users and organizations use the role, which no list shows until they are restored. */
  readonly isUsedByDeletedOnly: boolean;
}

/** Reads what organizations inherit from their ancestors. Each method runs in the transaction of a move or of its preview. */
export interface OrganizationInheritanceHandler {
  /** Returns the permissions of users, API keys and machine clients in the organizations, including suspended and disabled ones. */
  listGrants?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedGrant[]>;
  /** Returns the webhooks of the organizations that receive the events of descendants. */
  listWebhooks?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedWebhook[]>;
  /** Returns the roles of the ancestors that the organization or a descendant uses, including deleted descendants. */
  listUsedRoles?(ctx: RequestContext, organization: OrganizationKey, ancestorIds: readonly string[]): Promise<InheritedRole[]>;
}

/** The port through which higher libraries register what organizations inherit from their ancestors. */
@Injectable()
export class OrganizationInheritance implements Required<OrganizationInheritanceHandler> {
  private readonly handlers: OrganizationInheritanceHandler[] = [];

  register(handler: OrganizationInheritanceHandler): void {
    this.handlers.push(handler);
  }

  async listGrants(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedGrant[]> {
    const grants: InheritedGrant[] = [];
    for (const handler of this.handlers) grants.push(...((await handler.listGrants?.(ctx, tenantId, organizationIds)) ?? []));
    return grants;
  }

  async listWebhooks(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedWebhook[]> {
    const webhooks: InheritedWebhook[] = [];
    for (const handler of this.handlers) webhooks.push(...((await handler.listWebhooks?.(ctx, tenantId, organizationIds)) ?? []));
    return webhooks;
  }

  async listUsedRoles(
    ctx: RequestContext,
    organization: OrganizationKey,
    ancestorIds: readonly string[],
  ): Promise<InheritedRole[]> {
    const roles: InheritedRole[] = [];
    for (const handler of this.handlers) roles.push(...((await handler.listUsedRoles?.(ctx, organization, ancestorIds)) ?? []));
    return roles;
  }
}
