import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { baseUrlOf, connectionOf } from '../access/scim-connection.js';
import { ScimSearchLimitService } from '../access/scim-search-limit.service.js';
import { type Filter, isLookup } from '../protocol/filter.js';
import { type ListPart, type ListRequest, readPage, type ResultPage } from '../protocol/lists.js';
import { isReturned, type Projection, project } from '../protocol/projection.js';
import type { ScimObject } from '../protocol/resource.js';
import { ScimRequestInvalid, ScimResourceNotFound } from '../protocol/scim-errors.js';
import { userNameKeyOf } from './user-name.js';
import { userNameTaken } from './scim-user.repository.js';
import { userResource } from './scim-user.resource.js';
import { ScimUsersQuery, type UserRecord } from './scim-users.query.js';

const ALL: Projection = { excluded: [] };

/** Reads the users of the connection in the request, and checks what a change needs of them. */
@Injectable()
export class ScimUserReadsService {
  constructor(
    private readonly query: ScimUsersQuery,
    private readonly config: AppConfig,
    private readonly limit: ScimSearchLimitService,
  ) {}

  /** @throws ScimResourceNotFound (404) */
  async get(ctx: RequestContext, id: string, projection: Projection = ALL): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const record = await this.query.find(ctx, connection, id, isReturned(projection, 'groups'));
    if (!record) throw new ScimResourceNotFound('User', id);
    return project(userResource(record, baseUrlOf(this.config, connection)), projection);
  }

  /** @throws ScimRequestInvalid (400), and the errors of `ScimSearchLimitService` */
  async list(ctx: RequestContext, request: ListRequest): Promise<ResultPage> {
    const { filter, projection } = request;
    const read = (ctx: RequestContext) =>
      readPage(
        request,
        () => this.count(ctx, filter),
        (part) => this.query.list(ctx, connectionOf(ctx), filter, part, isReturned(projection, 'groups')),
      );
    const { shown, ...page } = isLookup(filter) ? await read(ctx) : await this.limit.run(ctx, read);
    return { ...page, resources: this.resourcesOf(ctx, shown, projection) };
  }

  count(ctx: RequestContext, filter: Filter | undefined): Promise<number> {
    return this.query.count(ctx, connectionOf(ctx), filter);
  }

  /** Returns a part of the users that match a filter, by id. @throws ScimRequestInvalid (400) */
  async read(ctx: RequestContext, filter: Filter | undefined, part: ListPart, projection: Projection): Promise<ScimObject[]> {
    const records = await this.query.list(ctx, connectionOf(ctx), filter, part, isReturned(projection, 'groups'));
    return this.resourcesOf(ctx, records, projection);
  }

  /** @throws ScimUniqueness (409) when another user of the connection has the user name */
  async assertUserNameFree(ctx: RequestContext, userName: string, exceptId: string): Promise<void> {
    if (await this.query.isUserNameTaken(ctx, connectionOf(ctx), userNameKeyOf(userName), exceptId))
      throw userNameTaken(userName);
  }

  /**
   * Returns the users of the list who can be members of groups. Omits users whom the connection managed and who were deleted, or who are no
   * members of the organization anymore: the directory repeats a rejected request forever, and its other members would never arrive.
   * @throws ScimRequestInvalid (400, invalidValue) with a user whom the connection never managed
   */
  async filterMembers(ctx: RequestContext, ids: readonly string[]): Promise<string[]> {
    const connection = connectionOf(ctx);
    const members = await this.query.listMemberIds(ctx, connection, ids);
    const others = ids.filter((id) => !members.has(id));
    const former = await this.query.listFormerIds(ctx, connection, others);
    const unknown = others.find((id) => !former.has(id));
    if (unknown !== undefined)
      throw new ScimRequestInvalid(
        'invalidValue',
        `The User "${unknown.slice(0, 80)}" does not exist, or this connection does not manage it.`,
      );
    return ids.filter((id) => members.has(id));
  }

  private resourcesOf(ctx: RequestContext, records: readonly UserRecord[], projection: Projection): ScimObject[] {
    const base = baseUrlOf(this.config, connectionOf(ctx));
    return records.map((record) => project(userResource(record, base), projection));
  }
}
