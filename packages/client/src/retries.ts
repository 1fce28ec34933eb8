import { ConnectionError, retryAfterSeconds, TimeoutError } from './errors.js';

export interface RetryPolicy {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly retries: number;
  /** Time limit of each attempt, from its start to the last byte of the response. */
  readonly timeoutMs: number;
  /** Whether a retry is safe if the outcome of the request is unknown. */
  readonly isRepeatable: boolean;
  /** Whether the response is returned with an unread body. Then only status and headers of the response decide about a retry. */
  readonly isStreamed: boolean;
  readonly signal: AbortSignal | undefined;
}

/** 429 means that the service did not process the request, so every request can be retried. */
const TOO_MANY_REQUESTS = 429;
const TEMPORARY_STATUSES = new Set([TOO_MANY_REQUESTS, 502, 503, 504]);
/** 409 means that the first request with the same Idempotency-Key is still running. A later retry returns the response of that request. */
const CONFLICT = 409;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Maximum `Retry-After` before a retry. For a longer `Retry-After`, the caller gets the error immediately. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

/** Sends a request until its response is final or no retries are left. @throws ConnectionError if there was no response */
export async function fetchWithRetries(request: Request, policy: RetryPolicy): Promise<Response> {
  for (let retry = 0; ; retry += 1) {
    const isLast = retry >= policy.retries;
    // A body can be read only once, so each attempt except the last sends a copy.
    const outcome = await exchange(isLast ? request : request.clone(), policy).catch((error: unknown) => {
      if (isLast || !policy.isRepeatable || !(error instanceof ConnectionError)) throw error;
      return error;
    });
    const delayMs = delayBeforeRetry(outcome, retry, policy);
    if (isLast || delayMs === undefined) return outcome as Response;
    if (!(outcome instanceof ConnectionError)) await outcome.body?.cancel();
    await sleep(delayMs, policy.signal);
  }
}

/** Returns the delay before the next attempt, or undefined if the response is final. */
function delayBeforeRetry(outcome: Response | ConnectionError, retry: number, { isRepeatable }: RetryPolicy): number | undefined {
  const backoffMs = Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
  if (outcome instanceof ConnectionError) return backoffMs;
  const waitSeconds = retryAfterSeconds(outcome.headers);
  const isTemporary =
    outcome.status === TOO_MANY_REQUESTS ||
    (isRepeatable && (TEMPORARY_STATUSES.has(outcome.status) || (outcome.status === CONFLICT && waitSeconds !== undefined)));
  if (!isTemporary || (waitSeconds ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return undefined;
  return waitSeconds === undefined ? backoffMs : waitSeconds * 1_000 + Math.random() * FIRST_DELAY_MS;
}

/** Sends a request and reads the complete response. A connection that breaks during the body is a failed attempt. */
async function exchange(request: Request, { fetch, timeoutMs, isStreamed, signal }: RetryPolicy): Promise<Response> {
  const deadline = new Deadline(timeoutMs, signal);
  try {
    const response = await deadline.race(fetch(new Request(request, { signal: deadline.signal })));
    if (response.body === null) return response;
    const body = isStreamed ? endingWith(signal, response.body) : await deadline.race(response.arrayBuffer());
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const where = `${request.method} ${request.url}`;
    if (deadline.signal.aborted) throw new TimeoutError(`${where} timed out after ${timeoutMs} ms.`, { cause });
    throw new ConnectionError(`${where} failed: ${reasonOf(cause)}`, { cause });
  } finally {
    deadline.clear();
  }
}

/**
 * Ends a request after its time limit or when the caller cancels. Node ignores the signal of a request after the response has begun, so
 * `race` also ends the reading of the body.
 */
class Deadline {
  readonly #ending = new AbortController();
  readonly #ended: Promise<never>;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly #end = (): void => this.#ending.abort();

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#ended = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.#ended.catch(() => undefined);
    this.#timer = setTimeout(this.#end, timeoutMs);
    if (caller?.aborted) this.#end();
    else caller?.addEventListener('abort', this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  race<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#ended]);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#end);
  }
}

const endingWith = (signal: AbortSignal | undefined, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  signal ? body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal }) : body;

/** Returns the reason of an error of `fetch`. Node has the reason in `cause` and, for several addresses, only as a code. */
export function reasonOf(error: unknown): string {
  const { cause, message, code } = Object(error) as { cause?: unknown; message?: string; code?: string };
  return cause ? reasonOf(cause) : message || code || String(error);
}

/** Waits. Rejects when the signal is aborted. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
