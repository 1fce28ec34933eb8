import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { PathOrganization } from './search-types.js';

const PATH_ROW = row({ id: column.text(), path: column.json<PathOrganization[]>() });

/** Reads the paths of results of all tenants, which a search of a platform key has. */
@Injectable()
export class OrganizationPathsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns each organization and its ancestors, from the root, by the id of the organization. */
  async findAll(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, readonly PathOrganization[]>> {
    const sql = `SELECT s.id, json_agg(json_build_object('id', a.id, 'name', a.name) ORDER BY cardinality(a.ancestor_ids)) AS path
      FROM organizations s JOIN organizations a ON a.tenant_id = s.tenant_id AND a.id = ANY (s.ancestor_ids || s.id)
      WHERE s.id = ANY ($1) GROUP BY s.tenant_id, s.id`;
    const found = await this.query(ctx, PATH_ROW, sql, [ids], { connection: 'replica' });
    return new Map(found.map(({ id, path }) => [id, path]));
  }
}
