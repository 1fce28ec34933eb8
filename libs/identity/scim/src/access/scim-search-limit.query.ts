import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery } from '#platform/database';
import { DataSource } from 'typeorm';

@Injectable()
export class ScimSearchLimitQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Limits the time of each further statement of the transaction. */
  async limitTime(ctx: RequestContext, timeoutMs: number): Promise<void> {
    // A filter with many conditions takes longer to compile than to execute.
    await this.execute(ctx, `SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL jit = off`);
  }
}
