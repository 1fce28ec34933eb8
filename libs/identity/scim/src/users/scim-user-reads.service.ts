import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { baseUrlOf, connectionOf } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import type { Cursor, ListRequest, ResultPage } from '../protocol/lists.js';
import { isReturned, type Projection, project } from '../protocol/projection.js';
import type { ScimObject } from '../protocol/resource.js';
import { ScimResourceNotFound } from '../protocol/scim-errors.js';
import { userResource } from './scim-user.resource.js';
import { ScimUsersQuery } from './scim-users.query.js';

const ALL: Projection = { excluded: [] };

/** Reads the users of the connection in the request. */
@Injectable()
export class ScimUserReadsService {
  constructor(
    private readonly query: ScimUsersQuery,
    private readonly config: AppConfig,
  ) {}

  /** @throws ScimResourceNotFound (404) */
  async get(ctx: RequestContext, id: string, projection: Projection = ALL): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const record = await this.query.find(ctx, connection, id, isReturned(projection, 'groups'));
    if (!record) throw new ScimResourceNotFound('User', id);
    return project(userResource(record, baseUrlOf(this.config, connection)), projection);
  }

  /** @throws ScimRequestInvalid (400) */
  async list(ctx: RequestContext, { filter, projection, count, page }: ListRequest): Promise<ResultPage> {
    const cursor = 'cursor' in page ? page.cursor : undefined;
    const total = cursor?.total ?? (await this.count(ctx, filter));
    if (count === 0) return { resources: [], total };
    const part = 'cursor' in page ? (cursor ? { after: cursor.after } : {}) : { offset: page.startIndex - 1 };
    const resources = await this.read(ctx, filter, { ...part, limit: count + 1 }, projection);
    const shown = resources.slice(0, count);
    const last = shown.at(-1)?.['id'] as string | undefined;
    const nextCursor: Cursor | undefined = resources.length > count && last !== undefined ? { after: last, total } : undefined;
    return { resources: shown, total, ...(nextCursor ? { nextCursor } : {}) };
  }

  count(ctx: RequestContext, filter: Filter | undefined): Promise<number> {
    return this.query.count(ctx, connectionOf(ctx), filter);
  }

  /** Returns a part of the users that match a filter, by id. @throws ScimRequestInvalid (400) */
  async read(
    ctx: RequestContext,
    filter: Filter | undefined,
    part: { readonly after?: string; readonly offset?: number; readonly limit: number },
    projection: Projection,
  ): Promise<ScimObject[]> {
    const connection = connectionOf(ctx);
    const base = baseUrlOf(this.config, connection);
    const records = await this.query.list(ctx, connection, filter, part, isReturned(projection, 'groups'));
    return records.map((record) => project(userResource(record, base), projection));
  }
}
