import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { baseUrlOf, type Connection, connectionOf } from '../access/scim-connection.js';
import { ScimSearchLimitService } from '../access/scim-search-limit.service.js';
import type { Filter } from '../protocol/filter.js';
import { type ListPart, type ListRequest, readPage, type ResultPage } from '../protocol/lists.js';
import { isReturned, type Projection, project } from '../protocol/projection.js';
import type { ScimObject } from '../protocol/resource.js';
import { ScimRequestInvalid, ScimResourceNotFound } from '../protocol/scim-errors.js';
import { assertVersion } from '../protocol/versions.js';
import { groupResource, groupVersionOf } from './scim-group.resource.js';
import { type GroupRecord, type MemberRecord, ScimGroupsQuery } from './scim-groups.query.js';

/** Maximum number of members in one response. */
const MAX_MEMBERS = 10_000;
/** Maximum number of members in the response to a PATCH request. */
const MAX_MEMBERS_AFTER_PATCH = 500;

const ALL: Projection = { excluded: [] };

/** Reads the groups of the connection in the request, and checks what a change needs of them. */
@Injectable()
export class ScimGroupReadsService {
  constructor(
    private readonly query: ScimGroupsQuery,
    private readonly config: AppConfig,
    private readonly limit: ScimSearchLimitService,
  ) {}

  /** @throws ScimResourceNotFound (404), ScimRequestInvalid (400, tooMany) */
  async get(ctx: RequestContext, id: string, projection: Projection = ALL): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const record = await this.query.find(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('Group', id);
    const [resource] = await this.resourcesOf(ctx, connection, [record], projection);
    return resource!;
  }

  /** @throws ScimRequestInvalid (400), and the errors of `ScimSearchLimitService` */
  async list(ctx: RequestContext, request: ListRequest): Promise<ResultPage> {
    const connection = connectionOf(ctx);
    const { filter, projection } = request;
    return this.limit.run(ctx, async (ctx) => {
      const { shown, ...page } = await readPage(
        request,
        () => this.count(ctx, filter),
        (part) => this.query.list(ctx, connection, filter, part),
      );
      return { ...page, resources: await this.resourcesOf(ctx, connection, shown, projection) };
    });
  }

  count(ctx: RequestContext, filter: Filter | undefined): Promise<number> {
    return this.query.count(ctx, connectionOf(ctx), filter);
  }

  /** Returns a part of the groups that match a filter, by id. @throws ScimRequestInvalid (400) */
  async read(ctx: RequestContext, filter: Filter | undefined, part: ListPart, projection: Projection): Promise<ScimObject[]> {
    const connection = connectionOf(ctx);
    return this.resourcesOf(ctx, connection, await this.query.list(ctx, connection, filter, part), projection);
  }

  /** Returns a group, or undefined if it has many members, so that changes of large groups stay fast. */
  async getAfterPatch(ctx: RequestContext, id: string): Promise<ScimObject | undefined> {
    const [members] = await this.query.summarizeMembers(ctx, connectionOf(ctx), [id]);
    return members && members.count > MAX_MEMBERS_AFTER_PATCH ? undefined : this.get(ctx, id);
  }

  /** @throws ScimVersionMismatch (412) when the group or its members changed since `ifMatch` */
  async assertVersion(ctx: RequestContext, record: GroupRecord, ifMatch: string | undefined): Promise<void> {
    if (ifMatch === undefined) return;
    const [members] = await this.query.summarizeMembers(ctx, connectionOf(ctx), [record.id]);
    assertVersion(ifMatch, groupVersionOf(record, members));
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
