import type { RequestOrganizations, World } from './world.js';

/** A valid request about existing resources. */
export interface MatrixRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The media type of a body that is not JSON. */
  readonly type?: string;
  /** The ID whose existence must be hidden from callers without access. Default: the ID of the organization in the request. */
  readonly hidden?: string;
}

/**
 * The response to a caller without access: the response for a nonexistent resource, a list of the resources with access, or, if the
 * operation belongs to no organization, the same as for all callers.
 */
export type Outside = 'not found' | 'filtered' | 'open';

export interface MatrixRow {
  /** Needed if an operation has several rows. */
  readonly variant?: string;
  readonly public?: true;
  /** Whether the operation is about the user's own account. */
  readonly ownAccount?: true;
  readonly platformOnly?: true;
  /** Not for API keys of organizations: only for signed-in users, also for the platform key, or only for approvers of break-glass access. */
  readonly peopleOnly?: 'users' | 'users and platform' | 'approvers';
  readonly outside?: Outside;
  /** Permissions that the operation requires in addition to the declared one. */
  readonly also?: readonly string[];
  /** Whether the path names no existing organization, so that the permission is checked first. */
  readonly spans?: true;
  /** Where the request takes place, if not in `world.organizations.place`. */
  place?(world: World): Promise<RequestOrganizations>;
  /** Returns the request. `credential` is the token of the caller, for operations on the user's own account. */
  request(world: World, place: RequestOrganizations, credential?: string): MatrixRequest | Promise<MatrixRequest>;
}

/** Returns a path in the organization of a place. */
export const at = (place: RequestOrganizations, rest = ''): string => `/v1/organizations/${place.own}${rest}`;

/** Returns a row for a request without a body in the organization. */
export const reads = (rest: string | ((world: World) => string)): MatrixRow => ({
  request: (world, place) => ({ path: at(place, typeof rest === 'string' ? rest : rest(world)) }),
});

/** Returns a new place. */
export const newOrganizations = (world: World): Promise<RequestOrganizations> => world.newOrganizations();

/** Returns a row for a request without a body about the user's own account. */
export const own = (path: string): MatrixRow => ({ ownAccount: true, request: () => ({ path }) });

/** Returns a row for a public request without a body. */
export const open = (path: string): MatrixRow => ({ public: true, request: () => ({ path }) });
