import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** Reads how far this installation has come. */
@Injectable()
export class Installation extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Whether there is no organization yet, not even one that is to be purged. */
  async isEmpty(ctx: RequestContext): Promise<boolean> {
    return (await this.query(ctx, 'SELECT FROM organizations LIMIT 1')).length === 0;
  }
}
