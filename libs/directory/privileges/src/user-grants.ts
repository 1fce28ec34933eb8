import { Injectable } from '@nestjs/common';
import type { Grant, OrganizationScope, RequestContext } from '#platform/common';

/** The permissions that a user's roles grant in one organization. */
export type UserGrant = Grant & Pick<OrganizationScope, 'ancestorIds'>;

export type UserKey = Readonly<Record<'tenantId' | 'id', string>>;

type Resolver = (ctx: RequestContext, tenantId: string, userIds: readonly string[]) => Promise<ReadonlyMap<string, UserGrant[]>>;

/** Reads the permissions of users whom a change affects. The same permissions of several users are returned once. */
interface AffectedResolver {
  /** Users whom these organizations manage, in other organizations. */
  listOutside(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<UserGrant[]>;
  /** Users who are linked to an account at an identity provider, in all organizations. */
  listLinked(ctx: RequestContext, tenantId: string, identityProviderId: string): Promise<UserGrant[]>;
}

/** The port through which the memberships library registers how to read the permissions of users. */
@Injectable()
export class UserGrants {
  private resolver?: Resolver;
  private affectedResolver?: AffectedResolver;

  register(resolver: Resolver): void {
    this.resolver = resolver;
  }

  registerAffected(resolver: AffectedResolver): void {
    this.affectedResolver = resolver;
  }

  /** Returns the permissions of users of a tenant in all organizations, also in deleted ones, by user id. */
  async mapByUser(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, UserGrant[]>> {
    if (!this.resolver) throw new Error(NOT_REGISTERED);
    return this.resolver(ctx, tenantId, userIds);
  }

  get affected(): AffectedResolver {
    if (!this.affectedResolver) throw new Error(NOT_REGISTERED);
    return this.affectedResolver;
  }
}

const NOT_REGISTERED = 'No library has registered how to read the permissions of users.';
