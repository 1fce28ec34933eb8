export { type ClientOptions, createIdentityClient, type IdentityClient } from './client.js';
export {
  ApiError,
  ConnectionError,
  type FieldProblem,
  IdentityClientError,
  isApiError,
  type Problem,
  TimeoutError,
} from './errors.js';
export type { FollowInput, FollowOptions, LoggedEvent } from './event-stream.js';
export {
  dpopChallenge,
  type DpopOptions,
  type DpopProblem,
  DpopProofError,
  type DpopRequest,
  type SignInRequirement,
  stepUpChallenge,
  verifyDpopProof,
} from './resource-server.js';
export { Listing, type Page, type Pagination } from './listing.js';
export type {
  CallOptions,
  InputOf,
  Method,
  OperationId,
  Operations,
  ResponseBodyOf,
  ResponseWithBody,
  ResultOf,
} from './operation-types.js';
export { VERSION } from './operations.gen.js';
export type { ProblemCode } from './problem-codes.gen.js';
export type { components } from './schema.gen.js';
import type { components } from './schema.gen.js';

/** A schema of the OpenAPI document by its name: `Schema<'UserResponse'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
