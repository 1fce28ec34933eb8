import { Injectable } from '@nestjs/common';
import { organizationOf, type PageRequest, type RequestContext, ResourceNotFound } from '#common';
import { TransactionRunner } from '#database';
import { type ListAnswer, listAnswer } from '#http';
import { type DirectoryFilter, DirectoryList, MemberList, MembershipReads, NOBODYS_ROLE_ID } from '#memberships';
import { RolesService } from '#roles';
import type { ListUsersQuery, UserFilter } from './user.requests.js';
import { UserListItemResponse, UserResponse } from './user.responses.js';
import { UserRepository } from './user.repository.js';

/** Answers reads of users. */
@Injectable()
export class UserQueries {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly users: UserRepository,
    private readonly directory: DirectoryList,
    private readonly members: MemberList,
    private readonly memberships: MembershipReads,
    private readonly roles: RolesService,
  ) {}

  /** Those that the organization manages, and its members. */
  async list(ctx: RequestContext, query: ListUsersQuery, request: PageRequest): Promise<ListAnswer<UserListItemResponse>> {
    const filter = await this.filterOf(ctx, query);
    return this.transactions.snapshot(ctx, async (ctx) => {
      const page = await this.directory.page(ctx, organizationOf(ctx), filter, request, query.sort);
      const ids = page.items.map(({ userId }) => userId);
      const users = await this.users.byIds(ctx, ids);
      const roles = await this.members.rolesOf(ctx, ids);
      return listAnswer(page, ({ userId }) => UserListItemResponse.from(users.get(userId)!, roles.get(userId) ?? []));
    });
  }

  /** What a query means in the addressed organization: a role is found by its name, too. */
  async filterOf(ctx: RequestContext, { role: reference, ...rest }: UserFilter): Promise<DirectoryFilter> {
    const { status, email, externalId, search, createdAfter, createdBefore } = rest;
    const created = {
      createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
      createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
    };
    const filter = { membersOnly: false, status, email, externalId, search, ...created };
    if (reference === undefined) return filter;
    const role = await this.roles.findVisible(ctx, organizationOf(ctx), reference);
    return { ...filter, roleId: role?.id ?? NOBODYS_ROLE_ID };
  }

  /** @throws ResourceNotFound (404); a deleted user is shown until it is purged */
  async get(ctx: RequestContext, userId: string): Promise<{ shown: UserResponse; version: number }> {
    const user = await this.users.find(ctx, organizationOf(ctx), userId);
    if (!user) throw new ResourceNotFound('user', userId);
    const held = await this.members.rolesOf(ctx, [user.id]);
    const memberships = await this.memberships.organizationsOf(ctx, user.id);
    const roles = await this.roles.byIds(
      ctx,
      memberships.map(({ roleId }) => roleId),
    );
    const organizations = memberships.map(({ id, name, roleId }) => ({ id, name, role: roles.get(roleId)?.name ?? roleId }));
    const shown = UserResponse.from(user, held.get(user.id) ?? [], organizations, await this.users.identitiesOf(ctx, user));
    return { shown, version: user.version };
  }
}
