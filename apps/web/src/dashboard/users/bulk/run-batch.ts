import { reauthenticate } from '../../../account/reauthentication/reauthenticate';
import type { Schema } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';

/** Maximum number of items in a request. */
const MAX_ITEMS = 1_000;
const REAUTHENTICATION = 'reauthentication_required';

/** An item of a batch: the id of a user, or an email address. */
interface BatchItem {
  readonly id: string;
  /** The organization to which the request goes. */
  readonly org: string;
}

export type BatchResults = ReadonlyMap<string, Schema<'BatchItemResponse'>>;

/** Sends a request. `key` is its `Idempotency-Key`. */
export type SendBatch = (org: string, ids: string[], key: string) => Promise<{ data: Schema<'BatchResponse'> }>;

/**
 * Sends the items, one request for each organization and 1,000 items. If some items need a recent authentication, asks for it and repeats
 * the request, which only repeats what failed. A request that fails is the result of its items. Calls `onProgress` after each request.
 */
export async function runBatch(
  items: readonly BatchItem[],
  send: SendBatch,
  onProgress: (results: BatchResults) => void,
): Promise<BatchResults> {
  const results = new Map<string, Schema<'BatchItemResponse'>>();
  for (const { org, ids } of requestsFor(items)) {
    for (const [index, result] of (await resultsOf(org, ids, send)).entries()) results.set(ids[index] ?? '', result);
    onProgress(new Map(results));
  }
  return results;
}

async function resultsOf(org: string, ids: string[], send: SendBatch): Promise<Schema<'BatchItemResponse'>[]> {
  const key = crypto.randomUUID();
  try {
    const { results } = (await send(org, ids, key)).data;
    if (!results.some(({ problem }) => problem?.code === REAUTHENTICATION) || !(await reauthenticate())) return results;
    return (await send(org, ids, key)).data.results;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const { status, code, message } = error;
    const problem = { type: '', title: '', instance: '', requestId: error.requestId ?? '', status, code, detail: message };
    return ids.map(() => ({ status, problem }));
  }
}

function requestsFor(items: readonly BatchItem[]): { readonly org: string; readonly ids: string[] }[] {
  const orgs = [...new Set(items.map(({ org }) => org))];
  return orgs.flatMap((org) => {
    const ids = items.filter((item) => item.org === org).map(({ id }) => id);
    return Array.from({ length: Math.ceil(ids.length / MAX_ITEMS) }, (_, index) => ({
      org,
      ids: ids.slice(index * MAX_ITEMS, (index + 1) * MAX_ITEMS),
    }));
  });
}
