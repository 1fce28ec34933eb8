import { Injectable } from '@nestjs/common';
import { organizationOf, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { type ListResponse, listResponse } from '#platform/http';
import { type DirectoryFilter, NONEXISTENT_ROLE_ID } from '#directory/memberships';
import { RolesService } from '#directory/roles';
import { UsersQuery } from './users.query.js';
import type { ListUsersQuery, UserFilter } from './user.requests.js';
import { UserListItemResponse, UserResponse } from './user.responses.js';

/** Reads users for responses. */
@Injectable()
export class UserQueriesService {
  constructor(
    private readonly users: UsersQuery,
    private readonly roles: RolesService,
  ) {}

  /** Returns a page of the directory: users that the organization manages, and members. */
  async list(ctx: RequestContext, query: ListUsersQuery, request: PageRequest): Promise<ListResponse<UserListItemResponse>> {
    const filter = await this.filterOf(ctx, query);
    const page = await this.users.page(ctx, organizationOf(ctx), { filter, request, sort: query.sort });
    return listResponse(page, (user) => UserListItemResponse.from(user));
  }

  /** Converts a filter of a request. `role` can be an id or a name. */
  async filterOf(ctx: RequestContext, { role: reference, ...rest }: UserFilter): Promise<DirectoryFilter> {
    const { status, email, externalId, search, createdAfter, createdBefore } = rest;
    const filter = { membersOnly: false, status, email, externalId, search, createdAfter, createdBefore };
    if (reference === undefined) return filter;
    const role = await this.roles.findVisible(ctx, organizationOf(ctx), reference);
    return { ...filter, roleId: role?.id ?? NONEXISTENT_ROLE_ID };
  }

  /** Returns a user. A deleted user is returned until the purge. @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, userId: string): Promise<{ user: UserResponse; version: number }> {
    const user = await this.users.find(ctx, organizationOf(ctx), userId);
    if (!user) throw new ResourceNotFound('user', userId);
    return { user: UserResponse.from(user), version: user.version };
  }
}
