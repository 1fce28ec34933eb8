import { Injectable } from '@nestjs/common';
import { InvalidRequest, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { GroupExternalIdTaken, GroupMembersService, GroupNameTaken, GroupsService } from '#directory/groups';
import { type Connection, connectionOf } from '../access/scim-connection.js';
import { applyPatch, readPatch } from '../protocol/patch.js';
import { assertComplete, type ScimObject } from '../protocol/resource.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { ScimRequestInvalid, ScimResourceNotFound, ScimUniqueness } from '../protocol/scim-errors.js';
import { ScimUserReadsService } from '../users/scim-user-reads.service.js';
import { memberChangeOf, type MemberChange } from './group-member-changes.js';
import { groupFieldsOf, readGroup } from './scim-group-fields.js';
import { ScimGroupReadsService } from './scim-group-reads.service.js';
import { type GroupRecord, ScimGroupsQuery } from './scim-groups.query.js';

/** Number of members that one statement adds or removes. */
const MEMBERS_BATCH = 1_000;

/** Changes the groups of the connection in the request, with the services of the API. */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimGroupsQuery,
    private readonly users: ScimUserReadsService,
    private readonly groups: GroupsService,
    private readonly members: GroupMembersService,
    private readonly reads: ScimGroupReadsService,
  ) {}

  /** Creates a group, with an id that a preview announced. @throws ScimRequestInvalid (400), ScimUniqueness (409) */
  async create(ctx: RequestContext, body: unknown, id?: string): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const { resource, memberIds } = readGroup(body);
    return explained(() =>
      this.work.run(ctx, async (ctx) => {
        const group = await this.groups.create(ctx, {
          ...groupFieldsOf(resource),
          managedBy: connection.id,
          ...(id === undefined ? {} : { id }),
        });
        await this.changeMembers(ctx, connection, group.id, { add: memberIds });
        return this.reads.get(ctx, group.id);
      }),
    );
  }

  /** Replaces the name, the external id and the members. @throws ScimResourceNotFound (404), ScimRequestInvalid (400), ScimUniqueness (409), ScimVersionMismatch (412) */
  async replace(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const { resource, memberIds } = readGroup(body);
    return explained(() =>
      this.work.run(ctx, async (ctx) => {
        await this.lock(ctx, connection, id, ifMatch);
        await this.groups.update(ctx, id, groupFieldsOf(resource));
        await this.changeMembers(ctx, connection, id, { set: memberIds });
        return this.reads.get(ctx, id);
      }),
    );
  }

  /**
   * Applies the operations of a PATCH request. Returns the group, or undefined if it has many members, so that large groups stay fast.
   * @throws the errors of `replace`
   */
  async patch(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject | undefined> {
    const connection = connectionOf(ctx);
    const operations = readPatch(GROUP_TYPE, body);
    return explained(() =>
      this.work.run(ctx, async (ctx) => {
        const { displayName, externalId } = await this.lock(ctx, connection, id, ifMatch);
        const others = operations.filter(({ target }) => target.attribute.name !== 'members');
        if (others.length > 0) {
          const before = { displayName, ...(externalId === null ? {} : { externalId }) };
          const after = applyPatch(before, others);
          assertComplete(GROUP_TYPE, after);
          await this.groups.update(ctx, id, groupFieldsOf(after));
        }
        for (const operation of operations.filter(({ target }) => target.attribute.name === 'members')) {
          const change = await memberChangeOf(operation, () => this.query.listMemberIds(ctx, connection, id));
          await this.changeMembers(ctx, connection, id, change);
        }
        return this.reads.getAfterPatch(ctx, id);
      }),
    );
  }

  /** Deletes a group. Its members lose the roles of the group. @throws ScimResourceNotFound (404), ScimVersionMismatch (412) */
  async delete(ctx: RequestContext, id: string, ifMatch: string | undefined): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      await this.lock(ctx, connectionOf(ctx), id, ifMatch);
      await this.groups.delete(ctx, id);
    });
  }

  private async changeMembers(ctx: RequestContext, connection: Connection, id: string, change: MemberChange): Promise<void> {
    if ('set' in change) {
      const current = await this.query.listMemberIds(ctx, connection, id);
      const wanted = new Set(change.set);
      const present = new Set(current);
      await this.changeMembers(ctx, connection, id, { remove: current.filter((each) => !wanted.has(each)) });
      await this.changeMembers(ctx, connection, id, { add: change.set.filter((each) => !present.has(each)) });
      return;
    }
    const ids = 'add' in change ? change.add : change.remove;
    for (let start = 0; start < ids.length; start += MEMBERS_BATCH) {
      const batch = ids.slice(start, start + MEMBERS_BATCH);
      if ('remove' in change) await this.members.remove(ctx, id, batch);
      else {
        const members = await this.users.filterMembers(ctx, batch);
        if (members.length > 0) await this.members.add(ctx, id, members);
      }
    }
  }

  private async lock(ctx: RequestContext, connection: Connection, id: string, ifMatch: string | undefined): Promise<GroupRecord> {
    const record = await this.query.lock(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('Group', id);
    await this.reads.assertVersion(ctx, record, ifMatch);
    return record;
  }
}

/** Explains errors of the services in the terms of SCIM. @throws ScimUniqueness (409), ScimRequestInvalid (400) */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GroupNameTaken)
      throw new ScimUniqueness(`${error.message} Names are unique among all groups of the organization, also groups of the API.`);
    if (error instanceof GroupExternalIdTaken) throw new ScimUniqueness(error.message);
    if (error instanceof InvalidRequest) throw new ScimRequestInvalid('invalidValue', error.message);
    throw error;
  }
}
