import { Injectable } from '@nestjs/common';
import { demandUnchanged, organizationOf, type OrganizationScope, reaches, type RequestContext, ResourceNotFound } from '#common';
import { OrganizationScopes } from '#organizations';
import { ManagedElsewhere } from './user-errors.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Opens a user for a change, if the caller may make it. */
@Injectable()
export class UserAccess {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopes,
  ) {}

  /**
   * The user, held until the transaction ends, with the organization that manages it.
   * @throws ResourceNotFound (404) when the addressed organization does not show the user
   * @throws ManagedElsewhere (403) when the caller does not reach the managing organization
   * @throws PreconditionFailed (412) when the caller read another version
   */
  async lockForChange(ctx: RequestContext, userId: string): Promise<{ user: User; home: OrganizationScope }> {
    const organization = organizationOf(ctx);
    const user = await this.users.lock(ctx, organization, userId);
    if (!user) throw new ResourceNotFound('user', userId);
    const home = user.organizationId === organization.id ? organization : await this.scopes.findScope(ctx, user.organizationId);
    if (!home || !reaches(ctx.caller, home)) throw new ManagedElsewhere();
    demandUnchanged(ctx, user.version);
    return { user, home };
  }
}
