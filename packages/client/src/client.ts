import { ApiError } from './errors.js';
import { type FollowInput, followEvents, type FollowOptions, type LoggedEvent } from './event-stream.js';
import { Listing, type Page } from './listing.js';
import type { CallOptions, Operations, ResponseWithBody } from './operation-types.js';
import { type Operation, OPERATIONS, VERSION } from './operations.gen.js';
import { fetchWithRetries } from './retries.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;

export interface ClientOptions {
  /** The base URL of the service, such as `https://iam.example.com`. */
  readonly baseUrl: string;
  /** An API key or the token of a session. */
  readonly apiKey?: string;
  /** Time limit of each attempt, from its start to the last byte of the response. Default: 30,000. */
  readonly timeoutMs?: number;
  /** How often a request is retried if there is no response or a temporary error. Default: 3. */
  readonly retries?: number;
  /** Additional headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`, for example for proxies and tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The service, with a method for each operation of the API. */
export type IdentityClient = Operations & {
  /** Yields the events of an organization as they happen, in order and without gaps, also after a lost connection. */
  followEvents(input: FollowInput, options?: FollowOptions): AsyncGenerator<LoggedEvent, void, undefined>;
};

/** The parameters of a call by name: path, query and body. */
type Input = Readonly<Record<string, unknown>>;

/** Creates a client of the service. A client needs no closing. One client is enough for a program. */
export function createIdentityClient(options: ClientOptions): IdentityClient {
  const calls = new Calls(options);
  const methods = Object.entries<Operation>(OPERATIONS).map(([id, operation]) => [id, methodFor(operation, calls)]);
  const client = {
    ...Object.fromEntries(methods),
    followEvents: (input: FollowInput, followOptions: FollowOptions = {}) => {
      const { after: _after, ...query } = input;
      const open = (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
        calls.open(OPERATIONS.streamEvents, query, {
          signal,
          retries: 0,
          ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
        });
      return followEvents(open, input, followOptions);
    },
  };
  return client;
}

function methodFor(operation: Operation, calls: Calls): object {
  const method = (input: Input = {}, options: CallOptions = {}): unknown =>
    operation.list
      ? new Listing(async (after) => (await calls.send(operation, nextInput(input, after), options)).body as Page<unknown>)
      : calls.send(operation, input, options).then(({ body }) => unwrapped(body));
  return Object.assign(method, {
    withResponse: (input: Input = {}, options: CallOptions = {}) => calls.send(operation, input, options),
    stream: (input: Input = {}, options: CallOptions = {}) => calls.open(operation, input, options),
  });
}

/** Returns the input for the next page. The next page starts after the item `after`, even if the first page was selected by number. */
function nextInput(input: Input, after: string | undefined): Input {
  if (after === undefined) return input;
  const { page: _page, ...rest } = input;
  return { ...rest, after };
}

const unwrapped = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'data' in body ? body.data : body);

/** Sends operations as the generated table `OPERATIONS` describes them. */
class Calls {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const { baseUrl, apiKey, headers } = options;
    if (!URL.canParse(baseUrl)) throw new TypeError(`"${baseUrl}" is not a URL such as https://iam.example.com.`);
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#options = options;
    this.#headers = {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      // Browsers don't allow programs to set the User-Agent.
      ...('process' in globalThis && { 'user-agent': `identity-service-client/${VERSION}` }),
      ...headers,
    };
  }

  async send(operation: Operation, input: Input, call: CallOptions): Promise<ResponseWithBody<unknown>> {
    const response = await this.#exchange(operation, input, call, false);
    const body = await bodyOf(response);
    if (!response.ok) throw new ApiError(response, body);
    return { body, response };
  }

  async open(operation: Operation, input: Input, call: CallOptions): Promise<Response> {
    const response = await this.#exchange(operation, input, call, true);
    if (!response.ok) throw new ApiError(response, await bodyOf(response));
    return response;
  }

  #exchange(operation: Operation, input: Input, call: CallOptions, isStreamed: boolean): Promise<Response> {
    const { fetch = (request: Request) => globalThis.fetch(request), timeoutMs = DEFAULT_TIMEOUT_MS, retries } = this.#options;
    return fetchWithRetries(this.#requestFor(operation, input, call), {
      fetch,
      timeoutMs: call.timeoutMs ?? timeoutMs,
      // A body that is a stream can be sent only once.
      retries: input['body'] instanceof ReadableStream ? 0 : (call.retries ?? retries ?? DEFAULT_RETRIES),
      isRepeatable: operation.method !== 'post' || operation.idempotencyKey === true,
      isStreamed,
      signal: call.signal,
    });
  }

  #requestFor(
    { method, path, query, idempotencyKey, contentType }: Operation,
    { body, ...input }: Input,
    call: CallOptions,
  ): Request {
    const init: RequestInit & { duplex?: 'half' } = {
      method: method.toUpperCase(),
      headers: {
        ...this.#headers,
        ...(body !== undefined && { 'content-type': call.contentType ?? contentType ?? 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': call.idempotencyKey ?? crypto.randomUUID() }),
        ...(call.ifMatch !== undefined && { 'if-match': call.ifMatch }),
        ...call.headers,
      },
      ...(body !== undefined && {
        body: contentType === undefined ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>),
      }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      redirect: 'manual',
    };
    return new Request(this.#baseUrl + addressOf(path, query ?? [], input), init);
  }
}

function addressOf(path: string, query: readonly string[], input: Input): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`"${name}" is missing; ${path} requires it.`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams(
    query.filter((name) => input[name] !== undefined).map((name) => [name, String(input[name])] as [string, string]),
  );
  return search.size > 0 ? `${filled}?${search}` : filled;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return /^application\/(?:[a-z]+\+)?json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}
