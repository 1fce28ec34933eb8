import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  changesBetween,
  assertUnchanged,
  newId,
  organizationOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { GROUPS_PER_ORGANIZATION_MAX, GroupLimit } from './group-errors.js';
import { Group } from './group.entity.js';
import { GroupRepository } from './group.repository.js';
import type { CreateGroupRequest, UpdateGroupRequest } from './group.requests.js';
import { groupData } from './groups.definitions.js';

/** Manages the groups of the organization in the request. Groups of other organizations are not found. */
@Injectable()
export class GroupsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly groups: GroupRepository,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, request: PageRequest): Promise<Page<Group>> {
    return this.groups.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<Group> {
    const group = await this.groups.find(ctx, organizationOf(ctx), id);
    if (!group) throw new ResourceNotFound('group', id);
    return group;
  }

  /** @throws GroupNameTaken (409), GroupLimit (409) */
  async create(ctx: RequestContext, request: CreateGroupRequest): Promise<Group> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      if ((await this.groups.countLocked(ctx, organization)) >= GROUPS_PER_ORGANIZATION_MAX) throw new GroupLimit();
      const now = this.work.now();
      const group = Object.assign(new Group(), {
        tenantId: organization.tenantId,
        id: newId('group'),
        organizationId: organization.id,
        name: request.name,
        description: request.description ?? null,
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<Group, 'version'>);
      await this.groups.insert(ctx, group);
      await this.work.publish(ctx, 'group.created', organization, groupData(group));
      return group;
    });
  }

  /** @throws ResourceNotFound (404), GroupNameTaken (409), PreconditionFailed (412) */
  async update(ctx: RequestContext, id: string, request: UpdateGroupRequest): Promise<Group> {
    return this.work.run(ctx, async (ctx) => {
      const group = await this.lock(ctx, id);
      const before = groupData(group);
      group.name = request.name ?? group.name;
      if (request.description !== undefined) group.description = request.description;
      const changes = changesBetween(before, groupData(group));
      if (Object.keys(changes).length === 0) return group;
      group.updatedAt = this.work.now();
      await this.groups.update(ctx, group);
      const data = { ...groupData(group), changes };
      await this.work.publish(ctx, 'group.updated', organizationOf(ctx), data);
      return group;
    });
  }

  /** @throws ResourceNotFound (404), PreconditionFailed (412) */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const group = await this.lock(ctx, id);
      await this.groups.delete(ctx, group);
      await this.work.publish(ctx, 'group.deleted', organizationOf(ctx), groupData(group));
    });
  }

  /** Deletes the groups of purged organizations, in the transaction of the purge. */
  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.groups.deleteByOrganizations(ctx, tenantId, organizationIds);
  }

  private async lock(ctx: RequestContext, id: string): Promise<Group> {
    const group = await this.groups.lock(ctx, organizationOf(ctx), id);
    if (!group) throw new ResourceNotFound('group', id);
    assertUnchanged(ctx, group.version);
    return group;
  }
}
