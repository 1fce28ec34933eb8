import { Injectable } from '@nestjs/common';
import type { Grant, OrganizationScope, RequestContext } from '#platform/common';

/** The permissions that a user's roles grant in one organization. */
export type UserGrant = Grant & Pick<OrganizationScope, 'ancestorIds'>;

export type UserKey = Readonly<Record<'tenantId' | 'id', string>>;

interface Resolver {
  mapByUser(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, UserGrant[]>>;
  listOutside(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<UserGrant[]>;
}

/** The port through which the memberships library registers how to read the permissions of users. */
@Injectable()
export class UserGrants {
  private resolver?: Resolver;

  register(resolver: Resolver): void {
    this.resolver = resolver;
  }

  /** Returns the permissions of users of a tenant in all organizations, also in deleted ones, by user id. */
  async mapByUser(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, UserGrant[]>> {
    return this.registered().mapByUser(ctx, tenantId, userIds);
  }

  /** Returns the permissions that users whom these organizations manage have in other organizations. */
  async listOutside(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<UserGrant[]> {
    return this.registered().listOutside(ctx, tenantId, organizationIds);
  }

  private registered(): Resolver {
    if (!this.resolver) throw new Error('No library has registered how to read the permissions of users.');
    return this.resolver;
  }
}
