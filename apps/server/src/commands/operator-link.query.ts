import type { RequestContext } from '#platform/common';
import { BaseQuery } from '#platform/database';

/** Inserts an operator link as `libs/identity/auth/src/operators` does. */
export class OperatorLinkQuery extends BaseQuery {
  async insert(ctx: RequestContext, tokenHash: Buffer): Promise<void> {
    await this.execute(
      ctx,
      "INSERT INTO operator_links (token_hash, origin, created_at, expires_at) VALUES ($1, 'request', now(), now() + interval '1 hour')",
      [tokenHash],
    );
  }
}
