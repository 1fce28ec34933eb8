import type { Place, World } from './world.js';

/** One well-formed request against things that exist. */
export interface MatrixRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Of the body, when it is a text of another type than JSON. */
  readonly type?: string;
  /** The id that callers out of reach must not learn to exist; the addressed organization's unless said otherwise. */
  readonly hidden?: string;
}

/**
 * What a caller out of reach gets: the answer for something that does not exist, a list without what is out of reach, or, where nothing
 * belongs to an organization, the same as all.
 */
export type Outside = 'not found' | 'filtered' | 'open';

export interface MatrixRow {
  /** Set where an operation has several rows. */
  readonly variant?: string;
  readonly public?: true;
  /** About the account of the signed-in user. */
  readonly ownAccount?: true;
  readonly platformOnly?: true;
  /** Not for keys of organizations, which are nobody: for signed-in users, with the platform, or for those who may approve emergency access. */
  readonly peopleOnly?: 'users' | 'users and platform' | 'approvers';
  readonly outside?: Outside;
  /** Permissions that the operation needs beside the one that it declares. */
  readonly also?: readonly string[];
  /** Whether the path names no living organization, so that the permission is judged first. */
  readonly spans?: true;
  /** Where the request takes place, if not in `world.place`. */
  place?(world: World): Promise<Place>;
  /** `credential` is whose request it will be, for what is about the own account. */
  request(world: World, place: Place, credential?: string): MatrixRequest | Promise<MatrixRequest>;
}

/** The path of something of the organization that a request takes place in. */
export const at = (place: Place, rest = ''): string => `/v1/organizations/${place.own}${rest}`;

/** A request without a body for something of the organization. */
export const reads = (rest: string | ((world: World) => string)): MatrixRow => ({
  request: (world, place) => ({ path: at(place, typeof rest === 'string' ? rest : rest(world)) }),
});

/** A place that other requests have not changed. */
export const freshPlace = (world: World): Promise<Place> => world.freshPlace();

/** A request without a body about the own account. */
export const own = (path: string): MatrixRow => ({ ownAccount: true, request: () => ({ path }) });

/** A request without a body that anybody may send. */
export const open = (path: string): MatrixRow => ({ public: true, request: () => ({ path }) });
