import { Injectable } from '@nestjs/common';
import { organizationOf, type PageRequest, type RequestContext, ResourceNotFound } from '#common';
import { type ListAnswer, listAnswer } from '#http';
import { DirectoryList, MemberList, MembershipReads, NOBODYS_ROLE_ID } from '#memberships';
import { RolesService } from '#roles';
import type { ListUsersQuery } from './user.requests.js';
import { UserListItemResponse, UserResponse } from './user.responses.js';
import { UserRepository } from './user.repository.js';

/** Answers reads of users. */
@Injectable()
export class UserQueries {
  constructor(
    private readonly users: UserRepository,
    private readonly directory: DirectoryList,
    private readonly members: MemberList,
    private readonly memberships: MembershipReads,
    private readonly roles: RolesService,
  ) {}

  /** Those that the organization manages, and its members. */
  async list(ctx: RequestContext, query: ListUsersQuery, request: PageRequest): Promise<ListAnswer<UserListItemResponse>> {
    const organization = organizationOf(ctx);
    const role = query.role === undefined ? undefined : await this.roles.findVisible(ctx, organization, query.role);
    const roleId = query.role === undefined ? undefined : (role?.id ?? NOBODYS_ROLE_ID);
    const { status, email, search } = query;
    const page = await this.directory.page(ctx, organization, { membersOnly: false, status, email, search, roleId }, request);
    const ids = page.items.map(({ userId }) => userId);
    const users = await this.users.byIds(ctx, ids);
    const roles = await this.members.rolesOf(ctx, ids);
    return listAnswer(page, ({ userId }) => UserListItemResponse.from(users.get(userId)!, roles.get(userId) ?? []));
  }

  /** @throws ResourceNotFound (404); a deleted user is shown until it is purged */
  async get(ctx: RequestContext, userId: string): Promise<UserResponse> {
    const user = await this.users.find(ctx, organizationOf(ctx), userId);
    if (!user) throw new ResourceNotFound('user', userId);
    const held = await this.members.rolesOf(ctx, [user.id]);
    const memberships = await this.memberships.organizationsOf(ctx, user.id);
    const roles = await this.roles.byIds(
      ctx,
      memberships.map(({ roleId }) => roleId),
    );
    const organizations = memberships.map(({ id, name, roleId }) => ({ id, name, role: roles.get(roleId)?.name ?? roleId }));
    return UserResponse.from(user, held.get(user.id) ?? [], organizations, await this.users.identitiesOf(ctx, user));
  }
}
