import type { OpenAPIObject } from '@nestjs/swagger';
import { type Method, METHODS } from './methods.js';

type Operation = Record<string, unknown> & {
  parameters?: { in?: string; name?: string }[];
  requestBody?: unknown;
  security?: unknown[];
  responses: Record<string, Record<string, unknown>>;
};

const PROBLEMS: Readonly<Record<number, { name: string; description: string }>> = {
  400: { name: 'BadRequest', description: 'The request is invalid. `errors` lists the invalid fields and parameters.' },
  401: {
    name: 'Unauthenticated',
    description:
      'The API key or session token is missing or invalid (`unauthenticated`). Or you used a session for a sensitive operation more than 10 minutes after you signed in or confirmed your identity (`reauthentication_required`). To confirm your identity, use `POST /v1/auth/reauthentication`.',
  },
  403: {
    name: 'Forbidden',
    description:
      'The caller is not allowed to send this request. For example, the caller lacks a permission, which `detail` names (`forbidden`), the organization requires MFA (`mfa_required`), or a page of another origin sent the request with a session cookie (`cross_origin`).',
  },
  404: { name: 'NotFound', description: 'The resource does not exist, or the caller does not have access to it.' },
  409: {
    name: 'Conflict',
    description:
      'The request conflicts with the current state. For example, the organization is suspended (`organization_suspended`).',
  },
  413: { name: 'ContentTooLarge', description: 'The request body is larger than 256 KB.' },
  415: { name: 'UnsupportedMediaType', description: 'The request body is not JSON in UTF-8, or it is compressed.' },
  422: {
    name: 'RefusedByRule',
    description:
      'A rule of the organization does not allow the request, or the `Idempotency-Key` was used for a different request (`idempotency_key_reused`).',
  },
  429: { name: 'TooManyRequests', description: 'Rate limit exceeded. Retry after the number of seconds in `Retry-After`.' },
  500: {
    name: 'InternalError',
    description: 'The service failed (`internal_error`). Its logs contain the error under `requestId`.',
  },
  503: {
    name: 'Unavailable',
    description: 'The service is overloaded or starting (`unavailable`). Retry after the number of seconds in `Retry-After`.',
  },
};

const HEADERS = {
  RateLimit: {
    description: 'Requests that remain in the current window (`r`), and the seconds until the window ends (`t`).',
    schema: { type: 'string' as const, example: '"default";r=119;t=1' },
  },
  'RateLimit-Policy': {
    description: 'Requests that are allowed (`q`) in a window of `w` seconds.',
    schema: { type: 'string' as const, example: '"default";q=120;w=1' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' as const, example: 1 } },
};
type HeaderName = keyof typeof HEADERS;
const RATE_LIMIT_HEADERS: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];
const RETRY_STATUSES: ReadonlySet<string> = new Set(['429', '503']);

/** Marks operations that ignore `Idempotency-Key`. */
const IDEMPOTENCY_IGNORED = 'x-idempotency-key';

/** Paths of operations with a limit per IP address, because callers without credentials could guess secrets. */
const LIMITED_BY_ADDRESS = /^\/v1\/(?:auth|oauth\/interactions)\//;

/** The header with which pages request a session cookie. */
const SESSION_TRANSPORT = 'session-transport';

/** The header with which the servers of customers send the address of an end user. */
const CLIENT_ADDRESS = 'Client-Address';

/** Adds the common error responses and the `Idempotency-Key` header to each operation. */
export function addCommonResponses(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.responses = { ...components.responses, ...problemResponses() };
  components.headers = HEADERS;
  components.parameters = { ...components.parameters, IdempotencyKey: idempotencyKey };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation) addToOperation(operation, method, path);
    }
  }
}

function addToOperation(operation: Operation, method: Method, path: string): void {
  // An empty list declares that a public operation needs no credentials.
  operation.security ??= [];
  for (const status of statusesOf(operation, method, path)) {
    operation.responses[status] ??= { $ref: `#/components/responses/${PROBLEMS[status]!.name}` };
  }
  const isLimited = operation.responses[429] !== undefined;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!('$ref' in response)) Object.assign(response, headersOf(status, isLimited));
  }
  if (acceptsIdempotencyKey(operation, method)) {
    operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' } as object];
  }
}

function statusesOf(operation: Operation, method: Method, path: string): number[] {
  const parameters = operation.parameters ?? [];
  const secured = isSecured(operation);
  const hasBody = operation.requestBody !== undefined;
  const isWrite = method !== 'get';
  return [
    // Malformed paths and bodies are rejected before routing.
    400,
    ...(secured ? [401, 403] : []),
    ...(secured || LIMITED_BY_ADDRESS.test(path) ? [429] : []),
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(secured && isWrite ? [409] : []),
    // Only the service's own pages can request a session cookie.
    ...(parameters.some(({ name }) => name === SESSION_TRANSPORT) ? [403] : []),
    ...(parameters.some(({ name }) => name === CLIENT_ADDRESS) ? [401, 403] : []),
    ...(hasBody ? [413, 415] : []),
    ...(acceptsIdempotencyKey(operation, method) ? [422] : []),
    500,
    503,
  ];
}

/** Returns whether the operation needs a credential. An empty requirement in the list makes the others optional. */
export const isSecured = ({ security = [] }: { readonly security?: readonly unknown[] }): boolean =>
  security.length > 0 && security.every((requirement) => Object.keys(requirement as object).length > 0);

const acceptsIdempotencyKey = (operation: Operation, method: Method): boolean =>
  method === 'post' && isSecured(operation) && operation[IDEMPOTENCY_IGNORED] === undefined;

const problemResponses = () =>
  Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, { name, description }]) => {
      const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemResponse' } } };
      return [name, { description, content, ...headersOf(status, status === '429') }];
    }),
  );

function headersOf(status: string, isLimited: boolean): { headers?: Record<string, { $ref: string }> } {
  const names: HeaderName[] = [
    ...(isLimited && (status.startsWith('2') || status === '429') ? RATE_LIMIT_HEADERS : []),
    ...(RETRY_STATUSES.has(status) ? (['Retry-After'] as const) : []),
  ];
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'Unique value for this request, such as a UUID. A retry with the same value and the same body within 24 hours returns the first successful response and does not repeat the operation.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
