import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** What organizations need to know of a role. */
export interface ReferencedRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

type RoleResolver = (
  ctx: RequestContext,
  organization: OrganizationRef,
  reference: string,
) => Promise<ReferencedRole | undefined>;

/** How organizations learn whether a role exists, though roles are built on organizations: the roles register their answer here. */
@Injectable()
export class RoleLookup {
  private resolver?: RoleResolver;

  register(resolver: RoleResolver): void {
    this.resolver = resolver;
  }

  /** The role with this id or name that is visible in the organization, kept from being deleted until the transaction ends. */
  async find(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<ReferencedRole | undefined> {
    if (!this.resolver) throw new Error('No library has registered a role lookup.');
    return this.resolver(ctx, organization, reference);
  }
}

/** What an organization's deletion and restoration mean for those who hang on it. Runs in the same transaction. */
export interface OrganizationLifecycleHandler {
  /** The organizations disappear, and may come back. */
  onDeleted?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void>;
  onRestored?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void>;
  /** The organizations go for good, and with them every row that refers to them. */
  onPurged?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void>;
}

/** How libs above organizations follow what happens to them: they register here. */
@Injectable()
export class OrganizationLifecycleHandlers {
  private readonly followers: OrganizationLifecycleHandler[] = [];

  register(follower: OrganizationLifecycleHandler): void {
    this.followers.push(follower);
  }

  async onDeleted(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    for (const follower of this.followers) await follower.onDeleted?.(ctx, tenantId, ids);
  }

  async onRestored(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    for (const follower of this.followers) await follower.onRestored?.(ctx, tenantId, ids);
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    for (const follower of this.followers) await follower.onPurged?.(ctx, tenantId, ids);
  }
}

/** A user as the recipient of a mail. */
export interface MailRecipient {
  readonly email: string;
  readonly locale: string | null;
}

type OwnerFinder = (ctx: RequestContext, organization: OrganizationRef) => Promise<MailRecipient[]>;

/** How libs below memberships learn whom to write to about an organization: memberships register their answer here. */
@Injectable()
export class OwnerAddresses {
  private finder?: OwnerFinder;

  register(finder: OwnerFinder): void {
    this.finder = finder;
  }

  /** Returns the owners of the organization or, if it has none, those of the nearest ancestor that has any. */
  async find(ctx: RequestContext, organization: OrganizationRef): Promise<MailRecipient[]> {
    return (await this.finder?.(ctx, organization)) ?? [];
  }
}
