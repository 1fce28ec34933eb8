import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ConcurrencyLimiter, QueueFull } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { ScimSearchTooSlow, ScimTooManySearches } from '../protocol/scim-errors.js';
import { connectionOf } from './scim-connection.js';
import { ScimSearchLimitQuery } from './scim-search-limit.query.js';

/** Searches of one connection in this process. A search that uses an index takes a few milliseconds, so the queue is rarely long. */
const LIMITS = { concurrency: 2, queued: 50, maxWaitMs: 10_000 };
const STATEMENT_TIMEOUT_MS = 10_000;
/** `query_canceled`: the statement took too long. */
const QUERY_CANCELED = '57014';

/** Limits the searches of each connection, so that expensive filters of one directory don't slow down all tenants. */
@Injectable()
export class ScimSearchLimitService {
  private readonly byConnection = new Map<string, { limiter: ConcurrencyLimiter; searches: number }>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimSearchLimitQuery,
  ) {}

  /** Runs a search in turn, with a time limit for its statements. @throws ScimTooManySearches (429), ScimSearchTooSlow (503), and the errors of `search` */
  async run<T>(ctx: RequestContext, search: (ctx: RequestContext) => Promise<T>): Promise<T> {
    const { id } = connectionOf(ctx);
    const connection = this.byConnection.get(id) ?? { limiter: new ConcurrencyLimiter(LIMITS), searches: 0 };
    this.byConnection.set(id, connection);
    connection.searches++;
    try {
      return await connection.limiter.run(() => this.runLimited(ctx, search));
    } catch (error) {
      if (error instanceof QueueFull) throw new ScimTooManySearches();
      throw (error as { code?: string }).code === QUERY_CANCELED ? new ScimSearchTooSlow(STATEMENT_TIMEOUT_MS / 1_000) : error;
    } finally {
      if (--connection.searches === 0) this.byConnection.delete(id);
    }
  }

  private runLimited<T>(ctx: RequestContext, search: (ctx: RequestContext) => Promise<T>): Promise<T> {
    return this.work.run(ctx, async (ctx) => {
      // Not awaited first, because PostgreSQL executes the statements in the order of the calls.
      const [, result] = await Promise.all([this.query.limitTime(ctx, STATEMENT_TIMEOUT_MS), search(ctx)]);
      return result;
    });
  }
}
