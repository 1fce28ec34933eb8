import { Injectable } from '@nestjs/common';
import { bindingSessionOf, organizationOf, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { type ListResponse, listResponse } from '#platform/http';
import { type DirectoryFilter, NONEXISTENT_ROLE_ID } from '#directory/memberships';
import { SessionRequirementsQuery } from '#directory/organizations';
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
    private readonly sessionRequirements: SessionRequirementsQuery,
  ) {}

  /**
   * Returns a page of the directory: users that the organization manages, and members. With descendants, organizations that the session
   * can't access are left out.
   */
  async list(ctx: RequestContext, query: ListUsersQuery, request: PageRequest): Promise<ListResponse<UserListItemResponse>> {
    const filter = await this.filterOf(ctx, query);
    const asked = { filter, request, sort: query.sort };
    const page = query.includeDescendants
      ? await this.users.pageWithDescendants(ctx, organizationOf(ctx), await this.listInaccessible(ctx), asked)
      : await this.users.page(ctx, organizationOf(ctx), asked);
    return listResponse(page, (user) => UserListItemResponse.from(user));
  }

  /** Returns the organizations whose rules the session does not satisfy. */
  private async listInaccessible(ctx: RequestContext): Promise<readonly string[]> {
    const session = bindingSessionOf(ctx);
    const { id, tenantId } = organizationOf(ctx);
    return session ? this.sessionRequirements.listUnmet(ctx, { organizationIds: [id], tenantIds: [tenantId] }, session) : [];
  }

  /** Converts a filter of a request. `role` can be an id or a name. */
  async filterOf(ctx: RequestContext, { role: reference, ...rest }: UserFilter): Promise<DirectoryFilter> {
    const { managed, status, email, externalId, search, createdAfter, createdBefore } = rest;
    const filter = { membersOnly: false, managed, status, email, externalId, search, createdAfter, createdBefore };
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
