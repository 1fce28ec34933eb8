import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import { type GainAuthorization, unneeded } from '#directory/privileges';
import { UserIdentifiersService } from './user-identifiers.service.js';
import { InvitationsService } from './invitations.service.js';
import { NewUserRolesService } from './new-user-roles.service.js';
import { newUser } from './user-values.js';
import type { CreateUserRequest } from './user.requests.js';
import { userCreatedData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Creates users. */
@Injectable()
export class UsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly directory: UserDirectoryService,
    private readonly roles: NewUserRolesService,
    private readonly identifiers: UserIdentifiersService,
    private readonly invitations: InvitationsService,
  ) {}

  /**
   * Creates a user. The user becomes a member of the organization with the roles in the request or the default role. Without `verified`,
   * the user is pending. `verified` contains fields that an identity provider or a SCIM connection decides. `registration` authorizes the
   * default role for users who register themselves.
   * @throws EmailTaken, ExternalIdTaken (409), DomainNotAllowed (422), InvalidRequest (400: a role), GrantBeyondOwn, HigherPrivilegesDeleted (403)
   */
  async create(
    ctx: RequestContext,
    request: CreateUserRequest,
    verified: Partial<Pick<User, 'id' | 'status' | 'emailVerified' | 'emailConfirmed' | 'managedBy'>> = {},
    registration?: GainAuthorization,
  ): Promise<User> {
    const organization = organizationOf(ctx);
    const { settings, signIn } = await this.identifiers.authorizeNew(ctx, organization, request, registration !== undefined);
    return this.work.run(ctx, async (ctx) => {
      const { roles, gain } = await this.roles.lock(ctx, organization, request.roles, settings, registration);
      const user = Object.assign(newUser(organization, request, this.work.now()), verified);
      this.users.insert(ctx, user, signIn);
      this.directory.add(ctx, organization, user, roles, gain);
      await this.work.publish(ctx, 'user.created', organization, userCreatedData(user), { userId: user.id });
      if (request.sendInvitation) await this.invitations.send(ctx, organization, user, unneeded<'sign_in'>('new_user'));
      return user;
    });
  }
}
