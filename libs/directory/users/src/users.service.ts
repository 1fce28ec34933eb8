import { Injectable } from '@nestjs/common';
import {
  assertRoleGrantable,
  emailKey,
  InvalidRequest,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import { EffectiveSettingsService, type OrganizationSettings } from '#directory/organizations';
import { RolesService, type VisibleRole } from '#directory/roles';
import { EmailChangeMail } from './email-change-mail.js';
import { InvitationsService } from './invitations.service.js';
import { UserAccess } from './user-access.js';
import { UserChangesService } from './user-changes.service.js';
import { UserDeleted } from './user-errors.js';
import { applyFields, assertDomainAllowed, changesIdentity, newUser } from './user-values.js';
import type { CreateUserRequest, UpdateUserRequest } from './user.requests.js';
import { userCreatedData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Creates and changes users. */
@Injectable()
export class UsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly access: UserAccess,
    private readonly directory: UserDirectoryService,
    private readonly roles: RolesService,
    private readonly settings: EffectiveSettingsService,
    private readonly invitations: InvitationsService,
    private readonly emailChange: EmailChangeMail,
    private readonly changes: UserChangesService,
  ) {}

  /**
   * Creates a user, who belongs to the organization from the start with the roles given, or its `defaultRole`. `proven` is what is known
   * of the person already; without it the user is pending.
   * @throws EmailTaken, ExternalIdTaken (409), DomainNotAllowed (422), InvalidRequest (400: a role), GrantBeyondOwn (403)
   */
  async create(
    ctx: RequestContext,
    request: CreateUserRequest,
    proven: Partial<Pick<User, 'status' | 'emailVerified'>> = {},
  ): Promise<User> {
    const organization = organizationOf(ctx);
    const { values } = await this.settings.get(ctx, organization);
    assertDomainAllowed(request.email, values);
    return this.work.run(ctx, async (ctx) => {
      const roles = await this.rolesFor(ctx, organization, request.roles, values);
      const user = Object.assign(newUser(organization, request, this.work.now()), proven);
      this.users.insert(ctx, user);
      this.directory.add(ctx, organization, user, roles);
      await this.work.publish(ctx, 'user.created', organization, userCreatedData(user), { userId: user.id });
      if (request.sendInvitation) await this.invitations.send(ctx, organization, user);
      return user;
    });
  }

  /**
   * Changes the fields sent; `metadata` by key.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403), UserDeleted (409), EmailTaken, ExternalIdTaken (409), DomainNotAllowed (422)
   */
  async update(ctx: RequestContext, userId: string, request: UpdateUserRequest): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForChange(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      const moves = request.email !== undefined && emailKey(request.email) !== user.emailKey;
      if (changesIdentity(user, request)) await this.access.assertCanChangeSignIn(ctx, user);
      if (moves) {
        assertDomainAllowed(request.email!, (await this.settings.get(ctx, home)).values);
        await this.emailChange.send(ctx, home, user, user.email, request.email!);
        await this.invitations.withdraw(ctx, user);
      }
      await this.changes.apply(ctx, { user, home }, () => {
        applyFields(user, request);
        if (moves) user.emailVerified = false;
      });
      return user;
    });
  }

  private async rolesFor(
    ctx: RequestContext,
    organization: OrganizationScope,
    references: readonly string[] | undefined,
    settings: OrganizationSettings,
  ): Promise<[VisibleRole, ...VisibleRole[]]> {
    const wanted = references?.length ? references : [settings.defaultRole];
    const roles = new Map<string, VisibleRole>();
    for (const [index, reference] of wanted.entries()) {
      const role = await this.roles.lockVisible(ctx, organization, reference);
      if (!role) {
        const message = `roles[${index}] "${reference}" is not a role of this organization or one of its ancestors.`;
        throw new InvalidRequest([{ pointer: `/roles/${index}`, in: 'body', code: 'role_not_found', message }]);
      }
      // The default role is the organization's gift, not the caller's.
      if (references?.length) assertRoleGrantable(ctx, organization, role, this.work.now());
      roles.set(role.id, role);
    }
    return [...roles.values()] as [VisibleRole, ...VisibleRole[]];
  }
}
