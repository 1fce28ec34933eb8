import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A response. `body` is parsed JSON. For other media types, NDJSON and CSV, `body` is text. */
export interface TestResponse {
  status: number;
  headers: Headers;
  body: TestBody;
}

/** An untyped body. Each test asserts the used fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- a type would only be asserted here, never checked
export type TestBody = any;

export interface RequestOptions {
  headers?: Record<string, string>;
}

/**
 * A pending request. `await` returns the first response. The methods retry while an overloaded service responds with 503 and `Retry-After`. On a busy
 * machine, any request can get this response.
 */
export type PendingResponse = Promise<TestResponse> & {
  /** Resolves to the first response except the 503 of an overloaded service. */
  whenServed(): Promise<TestResponse>;
  /** Resolves like `whenServed`. @throws Error with the response if the status, the code of the error or a part of its detail differs */
  expect(status: number, code?: string, detail?: string | RegExp): Promise<TestResponse>;
};

const ATTEMPTS_MAX = 20;

/** Closes an idle connection after four seconds, as `fetch` does. A request with `fetch` costs five times as much processor time. */
const AGENT = new Agent({ keepAlive: true, timeout: 4_000 });
/** The headers that `fetch` sends. */
const DEFAULT_HEADERS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

function pending(name: string, send: () => Promise<TestResponse>): PendingResponse {
  const first = send();
  const retryUntilServed = async (expectedStatus?: number): Promise<TestResponse> => {
    let response = await first;
    for (let attempt = 1; attempt < ATTEMPTS_MAX && response.status !== expectedStatus && isOverloaded(response); attempt += 1) {
      await sleep(Number(response.headers.get('retry-after')) * 1_000);
      response = await send();
    }
    return response;
  };
  const expect: PendingResponse['expect'] = async (status, code, detail = '') => {
    const response = await retryUntilServed(status);
    const { body } = response;
    const isExpected =
      response.status === status &&
      (code === undefined || code === (body?.code ?? body?.scimType)) &&
      (typeof detail === 'string' ? String(body?.detail).includes(detail) : detail.test(body?.detail));
    if (isExpected) return response;
    const expected = [status, code, detail].filter((part) => part !== undefined && part !== '').join(' ');
    throw new Error(`${name} returned ${response.status} instead of ${expected}: ${JSON.stringify(body, null, 2)}`);
  };
  return Object.assign(first, { whenServed: () => retryUntilServed(), expect });
}

const isOverloaded = ({ status, body, headers }: TestResponse): boolean =>
  status === 503 && body?.code === 'unavailable' && headers.has('retry-after');

/** Calls the API with one credential, or without a credential. */
export class TestClient {
  constructor(
    private readonly url: string,
    private readonly credential?: string,
    /** Returns the additional headers of a request. */
    private readonly ownHeaders: () => Record<string, string> = () => ({}),
  ) {}

  get(path: string, options?: RequestOptions): PendingResponse {
    return this.request('GET', path, undefined, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): PendingResponse {
    return this.request('POST', path, body, options);
  }

  patch(path: string, body?: unknown, options?: RequestOptions): PendingResponse {
    return this.request('PATCH', path, body, options);
  }

  put(path: string, body?: unknown, options?: RequestOptions): PendingResponse {
    return this.request('PUT', path, body, options);
  }

  delete(path: string, body?: unknown, options?: RequestOptions): PendingResponse {
    return this.request('DELETE', path, body, options);
  }

  /** Sends the body unchanged. */
  raw(method: string, path: string, body: string | Buffer | undefined, headers: Record<string, string>): PendingResponse {
    return pending(`${method} ${path}`, () => this.fetch(method, path, body, headers));
  }

  private async fetch(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<TestResponse> {
    const authorization: Record<string, string> =
      this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` };
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const ofBody = {
      ...(bytes && { 'content-length': bytes.length }),
      ...(typeof body === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }),
    };
    const sent = request(this.url + path, {
      method,
      agent: AGENT,
      headers: { ...DEFAULT_HEADERS, ...ofBody, ...authorization, ...this.ownHeaders(), ...headers },
    });
    // The connection can break after the response has begun.
    sent.on('error', () => undefined);
    // Beside a text, Node.js would encode the headers as UTF-8.
    sent.end(bytes);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return responseOf(response);
  }

  /** Sends the body as JSON. */
  request(method: string, path: string, body?: unknown, options: RequestOptions = {}): PendingResponse {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.raw(method, path, body === undefined ? undefined : JSON.stringify(body), { ...type, ...options.headers });
  }
}

async function responseOf(response: IncomingMessage): Promise<TestResponse> {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value);
  const type = headers.get('content-type') ?? '';
  // The client reads no body of an endless stream.
  if (type.includes('event-stream')) {
    response.destroy();
    return { status: response.statusCode!, headers, body: '' };
  }
  const text = new TextDecoder().decode(await buffer(response));
  return { status: response.statusCode!, headers, body: /ndjson|csv/.test(type) ? text : parsed(text) };
}

function parsed(text: string): TestBody {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
