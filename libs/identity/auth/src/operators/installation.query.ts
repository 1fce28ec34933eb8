import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, row } from '#platform/database';
import { DataSource } from 'typeorm';

@Injectable()
export class InstallationQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns whether no organization exists, not even a deleted one. */
  async isEmpty(ctx: RequestContext): Promise<boolean> {
    return (await this.query(ctx, row({}), 'SELECT FROM organizations LIMIT 1')).length === 0;
  }
}
