import { Injectable } from '@nestjs/common';
import {
  assertRoleDelegable,
  InvalidRequest,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import { EffectiveSettingsService, type OrganizationSettings } from '#directory/organizations';
import { RolesService, type VisibleRole } from '#directory/roles';
import { InvitationsService } from './invitations.service.js';
import { assertDomainAllowed, newUser } from './user-values.js';
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
    private readonly roles: RolesService,
    private readonly settings: EffectiveSettingsService,
    private readonly invitations: InvitationsService,
  ) {}

  /**
   * Creates a user. The user becomes a member of the organization with the roles in the request or the default role. Without `verified`,
   * the user is pending. `verified` contains fields that an identity provider or a SCIM connection decides.
   * @throws EmailTaken, ExternalIdTaken (409), DomainNotAllowed (422), InvalidRequest (400: a role), GrantBeyondOwn (403)
   */
  async create(
    ctx: RequestContext,
    request: CreateUserRequest,
    verified: Partial<Pick<User, 'id' | 'status' | 'emailVerified' | 'managedBy'>> = {},
  ): Promise<User> {
    const organization = organizationOf(ctx);
    const { values } = await this.settings.get(ctx, organization);
    assertDomainAllowed(request.email, values);
    return this.work.run(ctx, async (ctx) => {
      const roles = await this.rolesFor(ctx, organization, request.roles, values);
      const user = Object.assign(newUser(organization, request, this.work.now()), verified);
      this.users.insert(ctx, user);
      this.directory.add(ctx, organization, user, roles);
      await this.work.publish(ctx, 'user.created', organization, userCreatedData(user), { userId: user.id });
      if (request.sendInvitation) await this.invitations.send(ctx, organization, user);
      return user;
    });
  }

  private async rolesFor(
    ctx: RequestContext,
    organization: OrganizationScope,
    references: readonly string[] | undefined,
    settings: OrganizationSettings,
  ): Promise<[VisibleRole, ...VisibleRole[]]> {
    const roleReferences = references?.length ? references : [settings.defaultRole];
    const roles = new Map<string, VisibleRole>();
    for (const [index, reference] of roleReferences.entries()) {
      const role = await this.roles.lockVisible(ctx, organization, reference);
      if (!role) {
        const message = `roles[${index}] "${reference}" is not a role of this organization or one of its ancestors.`;
        throw new InvalidRequest([{ pointer: `/roles/${index}`, in: 'body', code: 'role_not_found', message }]);
      }
      // A caller can assign the default role without having the permissions of the role.
      if (references?.length) assertRoleDelegable(ctx, organization, role, this.work.now());
      roles.set(role.id, role);
    }
    return [...roles.values()] as [VisibleRole, ...VisibleRole[]];
  }
}
