import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';

type RoleResolver = (
  ctx: RequestContext,
  organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
  reference: string,
) => Promise<string | undefined>;

/** How organizations learn whether a role exists, though roles are built on organizations: the roles register their answer here. */
@Injectable()
export class RoleReferences {
  private resolver?: RoleResolver;

  register(resolver: RoleResolver): void {
    this.resolver = resolver;
  }

  /** The id of the role with this id or name that is visible in the organization; undefined: there is none. */
  async idOf(
    ctx: RequestContext,
    organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
    reference: string,
  ): Promise<string | undefined> {
    if (!this.resolver) throw new Error('No lib has registered how roles are found.');
    return this.resolver(ctx, organization, reference);
  }
}
