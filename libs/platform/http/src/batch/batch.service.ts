import { Injectable, Logger } from '@nestjs/common';
import { assertNotImpersonated, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { isUnavailable } from '#platform/database';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../idempotency/idempotency-errors.js';
import { IdempotentCallsService, type IdempotentRequest, idempotentRequestOf } from '../idempotency/idempotent-calls.service.js';
import { type Problem, problemOf } from '../problem.filter.js';
import { authorizeAgainOf, originalPathOf, type ServiceRequest } from '../request.js';

/** The caller is authorized again after this number of items, because the caller can lose access during a long batch. */
const ITEMS_PER_AUTHORIZATION = 50;

/** What an item has changed: the status that the operation for one item returns, and the id of a new user. */
interface ItemAnswer {
  readonly status: number;
  readonly userId?: string;
}

/** The result of an item: an answer or a problem. */
export interface ItemResult extends ItemAnswer {
  readonly item: string;
  readonly problem?: Problem;
}

/** Changes one item, in a transaction of its own. */
type ItemWork = (ctx: RequestContext, item: string) => Promise<ItemAnswer>;

/**
 * Runs an operation for many items, one after the other, so that an item that fails does not affect the others, and locks and memory are
 * those of one item. With an `Idempotency-Key`, each item that succeeded is stored together with its change: a retry returns its result,
 * and only runs the items that failed or were not reached.
 */
@Injectable()
export class BatchService {
  private readonly logger = new Logger(BatchService.name);

  constructor(
    private readonly calls: IdempotentCallsService,
    private readonly config: AppConfig,
  ) {}

  /** @throws IdempotencyKeyInUse (409) while another request with the key is in progress, IdempotencyKeyReused (422) */
  async run(request: ServiceRequest, items: readonly string[], work: ItemWork): Promise<ItemResult[]> {
    const idempotent = await this.begin(request);
    let ctx = request.context;
    let stoppedBy: unknown;
    let replayed = 0;
    const results: ItemResult[] = [];
    for (const [index, item] of items.entries()) {
      try {
        if (stoppedBy === undefined && mustAuthorizeAgain(ctx, items, index))
          ctx = await authorizeAgainOf(request)().catch((error: unknown) => Promise.reject((stoppedBy = error)));
        if (stoppedBy !== undefined) throw stoppedBy;
        const { isReplayed, ...answer } = await this.runItem(ctx, idempotent, item, work);
        if (isReplayed) replayed++;
        results.push({ item, ...answer });
      } catch (error) {
        if (error instanceof IdempotencyKeyInUse || error instanceof IdempotencyKeyReused) throw error;
        // The other items would wait for the database in vain.
        if (isUnavailable(error)) stoppedBy = error;
        const problem = this.problemOf(request, error);
        results.push({ item, status: problem.status, problem });
      }
    }
    if (replayed > 0 && replayed === items.length) request.res?.setHeader('Idempotent-Replayed', 'true');
    return results;
  }

  /** Stores the key with the hash of the request, so that another request with this key is rejected before its first item. */
  private async begin(request: ServiceRequest): Promise<IdempotentRequest | undefined> {
    const idempotent = idempotentRequestOf(request);
    if (idempotent) await this.calls.run(request.context, idempotent, () => Promise.resolve({ status: 200, body: undefined }));
    return idempotent;
  }

  private async runItem(
    ctx: RequestContext,
    idempotent: IdempotentRequest | undefined,
    item: string,
    work: ItemWork,
  ): Promise<ItemAnswer & { readonly isReplayed: boolean }> {
    // The access guard checks this for a user in the path.
    assertNotImpersonated(ctx, [item]);
    if (!idempotent) return { ...(await work(ctx, item)), isReplayed: false };
    const { call, requestHash } = idempotent;
    const callOfItem = { ...call, operation: `${call.operation} ${item}` };
    const { status, body, isReplayed } = await this.calls.run(ctx, { call: callOfItem, requestHash }, async (ctx) => {
      const { status, ...body } = await work(ctx, item);
      return { status, body };
    });
    return { status, ...(body as Omit<ItemAnswer, 'status'>), isReplayed };
  }

  private problemOf(request: ServiceRequest, error: unknown): Problem {
    const place = { baseUrl: this.config.baseUrl, instance: originalPathOf(request), requestId: request.context.requestId };
    return problemOf(error, place, this.logger);
  }
}

/** Returns whether the caller must be authorized again: from time to time, and after a change of the caller's own user. */
function mustAuthorizeAgain({ caller }: RequestContext, items: readonly string[], index: number): boolean {
  if (index === 0) return false;
  const isOwn = items[index - 1] === caller.id || items[index - 1] === caller.owner?.id;
  return isOwn || index % ITEMS_PER_AUTHORIZATION === 0;
}
