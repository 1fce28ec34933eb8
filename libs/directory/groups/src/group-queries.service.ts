import { Injectable } from '@nestjs/common';
import { organizationOf, type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { UserDirectoryService } from '#directory/memberships';
import { GroupAccessService } from './group-access.service.js';
import type { Group } from './group.entity.js';
import { type GroupFilter, GroupQuery } from './group.query.js';

export interface CountedGroup {
  readonly group: Group;
  /** Number of members, without deleted users. */
  readonly memberCount: number;
}

/** Reads the groups of the organization in the request. Groups of other organizations are not found. */
@Injectable()
export class GroupQueriesService {
  constructor(
    private readonly access: GroupAccessService,
    private readonly groupQuery: GroupQuery,
    private readonly directory: UserDirectoryService,
  ) {}

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<CountedGroup> {
    return this.withCount(ctx, await this.access.get(ctx, organizationOf(ctx), id));
  }

  async withCount(ctx: RequestContext, group: Group): Promise<CountedGroup> {
    const counts = await this.groupQuery.countMembers(ctx, organizationOf(ctx), [group.id]);
    return { group, memberCount: counts.get(group.id) ?? 0 };
  }

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, filter: GroupFilter, request: PageRequest): Promise<Page<CountedGroup>> {
    const organization = organizationOf(ctx);
    const page = await this.groupQuery.list(ctx, organization, filter, request);
    const counts = await this.groupQuery.countMembers(
      ctx,
      organization,
      page.items.map(({ id }) => id),
    );
    return { ...page, items: page.items.map((group) => ({ group, memberCount: counts.get(group.id) ?? 0 })) };
  }

  /** Returns the groups of a user in the organization. @throws ResourceNotFound (404), InvalidCursor (400) */
  async listOfUser(ctx: RequestContext, userId: string, request: PageRequest): Promise<Page<CountedGroup>> {
    if (!(await this.directory.includes(ctx, organizationOf(ctx), userId))) throw new ResourceNotFound('user', userId);
    return this.list(ctx, { userId }, request);
  }
}
