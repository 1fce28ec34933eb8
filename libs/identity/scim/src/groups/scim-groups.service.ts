import { Injectable } from '@nestjs/common';
import { InvalidRequest, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { GroupExternalIdTaken, GroupMembersService, GroupNameTaken, GroupsService } from '#directory/groups';
import { baseUrlOf, type Connection, connectionOf } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import type { Cursor, ListRequest, ResultPage } from '../protocol/lists.js';
import { applyPatch, readPatch } from '../protocol/patch.js';
import { isReturned, type Projection, project } from '../protocol/projection.js';
import { assertComplete, readResource, type ScimObject } from '../protocol/resource.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { ScimRequestInvalid, ScimResourceNotFound, ScimUniqueness } from '../protocol/scim-errors.js';
import { assertVersion } from '../protocol/versions.js';
import { ScimUsersQuery } from '../users/scim-users.query.js';
import { memberChangeOf, memberIdsOf, type MemberChange } from './group-member-changes.js';
import { groupResource, groupVersionOf } from './scim-group.resource.js';
import { type GroupRecord, type MemberRecord, ScimGroupsQuery } from './scim-groups.query.js';

/** Maximum number of members in one response. */
const MAX_MEMBERS = 10_000;
const MAX_NAME_LENGTH = 200;
const MAX_EXTERNAL_ID_LENGTH = 200;
/** Maximum number of members in the response to a PATCH request. */
const MAX_MEMBERS_AFTER_PATCH = 500;
/** Number of members that one statement adds or removes. */
const MEMBERS_BATCH = 1_000;

/** Reads and changes the groups of the connection in the request, with the services of the API. */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimGroupsQuery,
    private readonly users: ScimUsersQuery,
    private readonly groups: GroupsService,
    private readonly members: GroupMembersService,
    private readonly config: AppConfig,
  ) {}

  /** @throws ScimResourceNotFound (404), ScimRequestInvalid (400, tooMany) */
  async get(ctx: RequestContext, id: string, projection: Projection): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const record = await this.query.find(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('Group', id);
    const [resource] = await this.resourcesOf(ctx, connection, [record], projection);
    return resource!;
  }

  /** @throws ScimRequestInvalid (400) */
  async list(ctx: RequestContext, { filter, projection, count, page }: ListRequest): Promise<ResultPage> {
    const cursor = 'cursor' in page ? page.cursor : undefined;
    const total = cursor?.total ?? (await this.count(ctx, filter));
    if (count === 0) return { resources: [], total };
    const part = 'cursor' in page ? (cursor ? { after: cursor.after } : {}) : { offset: page.startIndex - 1 };
    const records = await this.query.list(ctx, connectionOf(ctx), filter, { ...part, limit: count + 1 });
    const shown = records.slice(0, count);
    const last = shown.at(-1);
    const nextCursor: Cursor | undefined = records.length > count && last ? { after: last.id, total } : undefined;
    const resources = await this.resourcesOf(ctx, connectionOf(ctx), shown, projection);
    return { resources, total, ...(nextCursor ? { nextCursor } : {}) };
  }

  count(ctx: RequestContext, filter: Filter | undefined): Promise<number> {
    return this.query.count(ctx, connectionOf(ctx), filter);
  }

  /** Returns a part of the groups that match a filter, by id. @throws ScimRequestInvalid (400) */
  async read(
    ctx: RequestContext,
    filter: Filter | undefined,
    part: { readonly offset: number; readonly limit: number },
    projection: Projection,
  ): Promise<ScimObject[]> {
    const connection = connectionOf(ctx);
    return this.resourcesOf(ctx, connection, await this.query.list(ctx, connection, filter, part), projection);
  }

  /** @throws ScimRequestInvalid (400), ScimUniqueness (409) */
  async create(ctx: RequestContext, body: unknown): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const { resource, memberIds } = readGroup(body);
    return explained(() =>
      this.work.run(ctx, async (ctx) => {
        const group = await this.groups.create(ctx, { ...fieldsOf(resource), managedBy: connection.id });
        await this.changeMembers(ctx, connection, group.id, { add: memberIds });
        return this.get(ctx, group.id, ALL);
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
        await this.groups.update(ctx, id, fieldsOf(resource));
        await this.changeMembers(ctx, connection, id, { set: memberIds });
        return this.get(ctx, id, ALL);
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
          await this.groups.update(ctx, id, fieldsOf(after));
        }
        for (const operation of operations.filter(({ target }) => target.attribute.name === 'members')) {
          const change = await memberChangeOf(operation, () => this.query.listMemberIds(ctx, connection, id));
          await this.changeMembers(ctx, connection, id, change);
        }
        const [members] = await this.query.summarizeMembers(ctx, connection, [id]);
        return members && members.count > MAX_MEMBERS_AFTER_PATCH ? undefined : this.get(ctx, id, ALL);
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
        await this.assertManaged(ctx, connection, batch);
        await this.members.add(ctx, id, batch);
      }
    }
  }

  /** @throws ScimRequestInvalid (400, invalidValue) with a user who is not a user of the connection */
  private async assertManaged(ctx: RequestContext, connection: Connection, ids: readonly string[]): Promise<void> {
    const managed = await this.users.listManagedIds(ctx, connection, ids);
    const unknown = ids.find((id) => !managed.has(id));
    if (unknown !== undefined)
      throw new ScimRequestInvalid(
        'invalidValue',
        `The User "${unknown.slice(0, 80)}" does not exist, or this connection does not manage it.`,
      );
  }

  private async lock(ctx: RequestContext, connection: Connection, id: string, ifMatch: string | undefined): Promise<GroupRecord> {
    const record = await this.query.lock(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('Group', id);
    if (ifMatch !== undefined) {
      const [members] = await this.query.summarizeMembers(ctx, connection, [id]);
      assertVersion(ifMatch, groupVersionOf(record, members));
    }
    return record;
  }

  private async resourcesOf(
    ctx: RequestContext,
    connection: Connection,
    records: readonly GroupRecord[],
    projection: Projection,
  ): Promise<ScimObject[]> {
    const base = baseUrlOf(this.config, connection);
    if (!isReturned(projection, 'members')) return records.map((record) => project(groupResource(record, base), projection));
    const ids = records.map(({ id }) => id);
    const summaries = new Map(
      (await this.query.summarizeMembers(ctx, connection, ids)).map((summary) => [summary.groupId, summary]),
    );
    const total = [...summaries.values()].reduce((sum, { count }) => sum + count, 0);
    if (total > MAX_MEMBERS)
      throw new ScimRequestInvalid(
        'tooMany',
        `The response would have ${total.toLocaleString('en')} members, more than ${MAX_MEMBERS.toLocaleString('en')}. Send "excludedAttributes=members", and find the members with the filter groups.value eq "<id of the group>" on /Users.`,
      );
    const members = new Map<string, MemberRecord[]>();
    for (const id of ids) members.set(id, []);
    for (const member of await this.query.listMembers(ctx, connection, ids)) members.get(member.groupId)?.push(member);
    return records.map((record) =>
      project(
        groupResource(record, base, {
          version: groupVersionOf(record, summaries.get(record.id)),
          list: members.get(record.id) ?? [],
        }),
        projection,
      ),
    );
  }
}

const ALL: Projection = { excluded: [] };

function readGroup(body: unknown): { resource: ScimObject; memberIds: string[] } {
  const resource = readResource(GROUP_TYPE, body);
  assertComplete(GROUP_TYPE, resource);
  const members = Object.entries(body as ScimObject).find(([name]) => name.toLowerCase() === 'members')?.[1];
  return { resource, memberIds: memberIdsOf(members) };
}

/** @throws ScimRequestInvalid (400, invalidValue) */
function fieldsOf({ displayName, externalId }: ScimObject): { name: string; externalId: string | null } {
  const name = String(displayName).trim();
  if (name === '' || name.length > MAX_NAME_LENGTH)
    throw new ScimRequestInvalid('invalidValue', `The attribute "displayName" must have 1 to ${MAX_NAME_LENGTH} characters.`);
  if (typeof externalId === 'string' && externalId.length > MAX_EXTERNAL_ID_LENGTH)
    throw new ScimRequestInvalid(
      'invalidValue',
      `The attribute "externalId" is longer than ${MAX_EXTERNAL_ID_LENGTH} characters.`,
    );
  return { name, externalId: typeof externalId === 'string' ? externalId : null };
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
