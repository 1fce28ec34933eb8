import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { baseUrlOf, type Connection, connectionOf } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import type { Cursor, ListRequest, ResultPage } from '../protocol/lists.js';
import { isReturned, type Projection, project } from '../protocol/projection.js';
import { assertComplete, readResource, type ScimObject } from '../protocol/resource.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { ScimRequestInvalid, ScimResourceNotFound } from '../protocol/scim-errors.js';
import { memberIdsOf } from './group-member-changes.js';
import { groupResource, groupVersionOf } from './scim-group.resource.js';
import { type GroupRecord, type MemberRecord, ScimGroupsQuery } from './scim-groups.query.js';

/** Maximum number of members in one response. */
const MAX_MEMBERS = 10_000;
const MAX_NAME_LENGTH = 200;
const MAX_EXTERNAL_ID_LENGTH = 200;
/** Maximum number of members in the response to a PATCH request. */
const MAX_MEMBERS_AFTER_PATCH = 500;

const ALL: Projection = { excluded: [] };

/** Reads the groups of the connection in the request. */
@Injectable()
export class ScimGroupReadsService {
  constructor(
    private readonly query: ScimGroupsQuery,
    private readonly config: AppConfig,
  ) {}

  /** @throws ScimResourceNotFound (404), ScimRequestInvalid (400, tooMany) */
  async get(ctx: RequestContext, id: string, projection: Projection = ALL): Promise<ScimObject> {
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

  /** Returns a group, or undefined if it has many members, so that changes of large groups stay fast. */
  async getAfterPatch(ctx: RequestContext, id: string): Promise<ScimObject | undefined> {
    const [members] = await this.query.summarizeMembers(ctx, connectionOf(ctx), [id]);
    return members && members.count > MAX_MEMBERS_AFTER_PATCH ? undefined : this.get(ctx, id);
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

/** Returns the attributes and the members of a request. @throws ScimRequestInvalid (400) */
export function readGroup(body: unknown): { resource: ScimObject; memberIds: string[] } {
  const resource = readResource(GROUP_TYPE, body);
  assertComplete(GROUP_TYPE, resource);
  const members = Object.entries(body as ScimObject).find(([name]) => name.toLowerCase() === 'members')?.[1];
  return { resource, memberIds: memberIdsOf(members) };
}

/** Returns the fields of a group. @throws ScimRequestInvalid (400, invalidValue) */
export function groupFieldsOf({ displayName, externalId }: ScimObject): { name: string; externalId: string | null } {
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
