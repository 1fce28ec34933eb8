import type { Listing, Pagination } from './listing.js';
import type { OPERATIONS } from './operations.gen.js';
import type { operations } from './schema.gen.js';

/** The operations as the OpenAPI document names them. Events are followed with `followEvents`. */
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

/** What an operation takes: what stands in its path and query by name, and its body. */
export type InputOf<Id extends OperationId> = PathOf<operations[Id]> & QueryOf<operations[Id]> & BodyOf<operations[Id]>;

type SuccessStatus = 200 | 201 | 202 | 204;
type SuccessOf<Responses> = Responses[SuccessStatus & keyof Responses];
type AnswerOfResponse<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? undefined
    : Content extends { 'application/json': infer Body }
      ? Body
      : string
  : undefined;

/** The body of a success, as it came. */
export type AnswerOf<Id extends OperationId> = AnswerOfResponse<SuccessOf<operations[Id]['responses']>>;

type Unwrapped<Answer> = Answer extends { data: infer Data } ? Data : Answer;

/** What a method gives: a list to walk, or what stands in the `data` of the answer. */
export type ResultOf<Id extends OperationId> =
  AnswerOf<Id> extends { data: (infer Item)[]; pagination: Pagination } ? Listing<Item> : Promise<Unwrapped<AnswerOf<Id>>>;

/** What a call may do otherwise than the client does. */
export interface CallOptions {
  /** Ends the call, also while it waits for a retry. */
  readonly signal?: AbortSignal;
  /** For each try; see the client's. */
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Names a POST, so that repeating it does nothing twice. Made anew for each call where none is given. */
  readonly idempotencyKey?: string;
  /** The `ETag` that was read: change only if nobody has changed the resource since. */
  readonly ifMatch?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The media type of a body that is no JSON; `importUsers` takes `text/csv`, too. */
  readonly contentType?: string;
}

type Arguments<Id extends OperationId> =
  // oxlint-disable-next-line typescript/no-empty-object-type -- asks whether nothing is required
  {} extends InputOf<Id> ? [input?: InputOf<Id>, options?: CallOptions] : [input: InputOf<Id>, options?: CallOptions];

/** An operation, and the same with more of its answer. */
export interface Method<Id extends OperationId> {
  (...args: Arguments<Id>): ResultOf<Id>;
  /** The answer as it came, with its headers: `ETag`, `X-Request-Id`, `RateLimit`. */
  withResponse(...args: Arguments<Id>): Promise<Answered<AnswerOf<Id>>>;
  /** The answer with its body unread, for what is long: `exportUsers.stream(…)`. The time limit holds until its head is there. */
  stream(...args: Arguments<Id>): Promise<Response>;
}

/** A method for each operation of the service. */
export type Operations = {
  [Id in keyof typeof OPERATIONS as Id extends OperationId ? Id : never]: Id extends OperationId ? Method<Id> : never;
};

/** An answer with its headers. */
export interface Answered<Body> {
  readonly body: Body;
  readonly response: Response;
}
