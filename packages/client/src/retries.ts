import { ConnectionError, retryAfterSeconds, TimeoutError } from './errors.js';

/** How one call is repeated. */
export interface RetryPolicy {
  readonly fetch: (request: Request) => Promise<Response>;
  /** How many times more at most. */
  readonly retries: number;
  /** For each try, from its beginning to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Whether the request may be sent again when nobody knows what became of it. */
  readonly isRepeatable: boolean;
  /** The answer is handed on as it comes; its body is neither waited for nor repeated. */
  readonly isStreamed: boolean;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
}

/** "Too many requests" says that nothing was done: that may be repeated in any case. */
const REFUSED_UNTOUCHED = 429;
const PASSING_STATUSES = new Set([REFUSED_UNTOUCHED, 502, 503, 504]);
/** The first request with the same Idempotency-Key is still running: its answer will be given again. */
const CONFLICT = 409;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Who is told to wait longer had better hear of it than wait. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

/** Sends a request until it is answered for good, or the policy is used up. @throws ConnectionError when there was no answer */
export async function fetchWithRetries(request: Request, policy: RetryPolicy): Promise<Response> {
  for (let retry = 0; ; retry += 1) {
    const isLast = retry >= policy.retries;
    // A body can be read once: the copy is what goes out, unless nothing comes after.
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

/** Undefined when the answer is final. */
function delayBeforeRetry(outcome: Response | ConnectionError, retry: number, { isRepeatable }: RetryPolicy): number | undefined {
  const backoffMs = Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
  if (outcome instanceof ConnectionError) return backoffMs;
  const waitSeconds = retryAfterSeconds(outcome.headers);
  const isPassing =
    outcome.status === REFUSED_UNTOUCHED ||
    (isRepeatable && (PASSING_STATUSES.has(outcome.status) || (outcome.status === CONFLICT && waitSeconds !== undefined)));
  if (!isPassing || (waitSeconds ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return undefined;
  return waitSeconds === undefined ? backoffMs : waitSeconds * 1_000 + Math.random() * FIRST_DELAY_MS;
}

/** One request and its whole answer, so that a connection that breaks in the middle of a body counts as broken. */
async function exchange(request: Request, { fetch, timeoutMs, isStreamed, signal }: RetryPolicy): Promise<Response> {
  const deadline = new Deadline(timeoutMs, signal);
  try {
    const response = await deadline.before(fetch(new Request(request, { signal: deadline.signal })));
    if (response.body === null) return response;
    const body = isStreamed ? endingWith(signal, response.body) : await deadline.before(response.arrayBuffer());
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const where = `${request.method} ${request.url}`;
    if (deadline.signal.aborted) throw new TimeoutError(`${where} timed out after ${timeoutMs} ms.`, { cause });
    throw new ConnectionError(`${where} failed: ${reasonOf(cause)}`, { cause });
  } finally {
    deadline.forget();
  }
}

/**
 * Ends an exchange at its time, or when the caller wants no more. Node lets go of the signal of a request once its answer has begun,
 * so what is waited for is raced with the end, too.
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

  before<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#ended]);
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#end);
  }
}

const endingWith = (signal: AbortSignal | undefined, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  signal ? body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal }) : body;

/** Node's fetch says "fetch failed" and has the reason in its cause; what stands for several addresses has a code alone. */
export function reasonOf(error: unknown): string {
  const { cause, message, code } = Object(error) as { cause?: unknown; message?: string; code?: string };
  return cause ? reasonOf(cause) : message || code || String(error);
}

/** Waits, unless the signal ends it. */
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
