import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  assertUnchanged,
  changesBetween,
  nameKey,
  newId,
  organizationOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  searchKey,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { GroupAccessService } from './group-access.service.js';
import { GROUPS_PER_ORGANIZATION_MAX, GroupLimit } from './group-errors.js';
import { GroupMembersQuery } from './group-members.query.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { Group } from './group.entity.js';
import { type GroupFilter, GroupQuery } from './group.query.js';
import { GroupRepository } from './group.repository.js';
import { groupData } from './groups.definitions.js';

/** The fields of a new group. */
export interface NewGroup {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  /** Id of the connection that provisions the group. */
  readonly managedBy?: string | null | undefined;
  /** Only for a group whose id is known before. */
  readonly id?: string;
}

/** The fields to change. Absent fields stay as they are. */
export type GroupChanges = Partial<Omit<NewGroup, 'id' | 'managedBy'>>;

export interface CountedGroup {
  readonly group: Group;
  /** Number of members, without deleted users. */
  readonly memberCount: number;
}

/** Returns the name of a group in the forms that are stored. */
const nameColumns = (name: string) => ({ name, nameKey: nameKey(name), searchText: searchKey(name) });

/** Number of members that one statement removes when a group is deleted. */
const DELETION_BATCH_SIZE = 10_000;

/** Manages the groups of the organization in the request. Groups of other organizations are not found. */
@Injectable()
export class GroupsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly groups: GroupRepository,
    private readonly access: GroupAccessService,
    private readonly members: GroupMembersQuery,
    private readonly assignments: GroupRoleAssignmentRepository,
    private readonly groupQuery: GroupQuery,
    private readonly directory: UserDirectoryService,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

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

  /** @throws GroupNameTaken, GroupExternalIdTaken, GroupLimit (409) */
  async create(ctx: RequestContext, { id, name, description, externalId, managedBy }: NewGroup): Promise<Group> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      if ((await this.groups.countLocked(ctx, organization)) >= GROUPS_PER_ORGANIZATION_MAX) throw new GroupLimit();
      const now = this.work.now();
      const group = Object.assign(new Group(), {
        tenantId: organization.tenantId,
        id: id ?? newId('group'),
        organizationId: organization.id,
        ...nameColumns(name),
        description: description ?? null,
        externalId: externalId ?? null,
        managedBy: managedBy ?? null,
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<Group, 'version'>);
      await this.groups.insert(ctx, group);
      await this.work.publish(ctx, 'group.created', organization, groupData(group));
      return group;
    });
  }

  /**
   * A new name needs the permissions of the roles of the group, because another group could get the previous name and be mistaken for it.
   * @throws ResourceNotFound (404), GroupWithRoles, GrantBeyondOwn (403), GroupNameTaken, GroupExternalIdTaken, ManagedByScim (409),
   * PreconditionFailed (412)
   */
  async update(ctx: RequestContext, id: string, { name, description, externalId }: GroupChanges): Promise<Group> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const group = await this.access.lock(ctx, organization, id);
      assertUnchanged(ctx, group.version);
      if (name !== undefined || externalId !== undefined) await this.access.assertNotProvisioned(ctx, group);
      const isRenamed = (name ?? group.name) !== group.name || (externalId !== undefined && externalId !== group.externalId);
      if (isRenamed) this.access.authorizeRevocation(ctx, organization, group, await this.access.listRoles(ctx, group));
      const before = groupData(group);
      if (name !== undefined && name !== group.name) Object.assign(group, nameColumns(name));
      if (description !== undefined) group.description = description;
      if (externalId !== undefined) group.externalId = externalId;
      const changes = changesBetween(before, groupData(group));
      if (Object.keys(changes).length === 0) return group;
      group.updatedAt = this.work.now();
      await this.groups.update(ctx, group);
      await this.work.publish(ctx, 'group.updated', organization, { ...groupData(group), changes });
      return group;
    });
  }

  /**
   * Deletes a group. Its members lose the roles of the group.
   * @throws ResourceNotFound (404), GroupWithRoles, GrantBeyondOwn (403), ManagedByScim (409), PreconditionFailed (412)
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const group = await this.access.lock(ctx, organization, id);
      assertUnchanged(ctx, group.version);
      await this.access.assertNotProvisioned(ctx, group);
      const loss = this.access.authorizeRevocation(ctx, organization, group, await this.access.listRoles(ctx, group));
      while ((await this.members.deleteBatch(ctx, group, DELETION_BATCH_SIZE, loss)) === DELETION_BATCH_SIZE);
      await this.assignments.deleteOfGroup(ctx, group, loss);
      await this.groups.delete(ctx, group, loss);
      await this.work.publish(ctx, 'group.deleted', organization, groupData(group));
    });
  }

  /** Deletes the groups of purged organizations, in the transaction of the purge. */
  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.groupQuery.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
  }
}
