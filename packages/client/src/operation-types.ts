import type { Listing, Pagination } from './listing.js';
import type { OPERATIONS } from './operations.gen.js';
import type { operations } from './schema.gen.js';

/** The names of the operations in the OpenAPI document. `followEvents` replaces `streamEvents`. */
export type OperationId = Exclude<keyof typeof OPERATIONS & keyof operations, 'streamEvents'>;

// oxlint-disable-next-line typescript/no-empty-object-type -- nothing to add to an intersection
type Nothing = {};

type Given<Parameters> = [NonNullable<Parameters>] extends [never] ? Nothing : NonNullable<Parameters>;
type PathOf<Op> = Op extends { parameters: { path?: infer Path } } ? Given<Path> : Nothing;
type QueryOf<Op> = Op extends { parameters: { query?: infer Query } } ? Given<Query> : Nothing;

type Json<Content> = Content extends { 'application/json': infer Body } ? Body : string | Uint8Array | ReadableStream<Uint8Array>;
type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? { body: Json<Content> }
  : Op extends { requestBody?: infer Body }
    ? NonNullable<Body> extends { content: infer Content }
      ? { body?: Json<Content> }
      : Nothing
    : Nothing;

/** The parameters of an operation: path and query parameters by name, and the body. */
export type InputOf<Id extends OperationId> = PathOf<operations[Id]> & QueryOf<operations[Id]> & BodyOf<operations[Id]>;

type SuccessStatus = 200 | 201 | 202 | 204;
type SuccessOf<Responses> = Responses[SuccessStatus & keyof Responses];
type ResponseBody<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? undefined
    : Content extends { 'application/json': infer Body }
      ? Body
      : string
  : undefined;

export type ResponseBodyOf<Id extends OperationId> = ResponseBody<SuccessOf<operations[Id]['responses']>>;

type Unwrapped<Body> = Body extends { data: infer Data } ? Data : Body;

/** The result of a method: a list, or the field `data` of the response. */
export type ResultOf<Id extends OperationId> =
  ResponseBodyOf<Id> extends { data: (infer Item)[]; pagination: Pagination }
    ? Listing<Item>
    : Promise<Unwrapped<ResponseBodyOf<Id>>>;

export interface CallOptions {
  /** Cancels the call, also while it waits for a retry. */
  readonly signal?: AbortSignal;
  /** Time limit of each attempt, as in the options of the client. */
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Makes retries of a POST idempotent. Default: a random key for each call. */
  readonly idempotencyKey?: string;
  /** The `ETag` of a version of the resource. The call fails if the resource has a different version. */
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The media type of a body that is not JSON. `importUsers` also accepts `text/csv`. */
  readonly contentType?: string;
}

type Arguments<Id extends OperationId> =
  // oxlint-disable-next-line typescript/no-empty-object-type -- asks whether nothing is required
  {} extends InputOf<Id> ? [input?: InputOf<Id>, options?: CallOptions] : [input: InputOf<Id>, options?: CallOptions];

/** A method that calls an operation, with variants that return more of the response. */
export interface Method<Id extends OperationId> {
  (...args: Arguments<Id>): ResultOf<Id>;
  /** Returns the complete response with its headers: `ETag`, `X-Request-Id`, `RateLimit`. */
  withResponse(...args: Arguments<Id>): Promise<ResponseWithBody<ResponseBodyOf<Id>>>;
  /** Returns the response with an unread body, for long responses: `exportUsers.stream(…)`. The time limit ends with the headers. */
  stream(...args: Arguments<Id>): Promise<Response>;
}

export type Operations = {
  [Id in keyof typeof OPERATIONS as Id extends OperationId ? Id : never]: Id extends OperationId ? Method<Id> : never;
};

export interface ResponseWithBody<Body> {
  readonly body: Body;
  readonly response: Response;
}
