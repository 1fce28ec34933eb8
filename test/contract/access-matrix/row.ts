import type { RequestOrganizations, Setup } from './setup.js';

/** A valid request to existing resources. */
export interface MatrixRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly type?: string;
  /** The ID whose existence must be hidden from callers without access. Default: the ID of the organization in the request. */
  readonly hidden?: string;
}

/**
 * The response to a caller without access to the organization. `not found`: the response for a nonexistent resource. `filtered`: a list of the
 * resources that the caller can access. `open`: the response to any caller, for operations without an organization.
 */
export type Outside = 'not found' | 'filtered' | 'open';

/** A request to an operation, and the allowed callers. */
export interface MatrixRow {
  /** The name of the row. Required if an operation has several rows. */
  readonly variant?: string;
  readonly public?: true;
  /** The account of a user that other requests also use, or of a new user whose sign-in or sessions the request changes. */
  readonly ownAccount?: 'of a user' | 'of a new user';
  /** Whether each caller needs a request of its own. */
  readonly perCaller?: true;
  /** Whether a successful request can be repeated. By default, only a GET can be repeated. */
  readonly repeatable?: boolean;
  readonly platformOnly?: true;
  /** The allowed callers of an operation that rejects API keys of organizations. Approvers are callers who can approve break-glass access. */
  readonly allowedCallers?: 'users' | 'users and platform' | 'approvers';
  readonly outside?: Outside;
  /** The required permissions that the OpenAPI document does not declare. */
  readonly additionalPermissions?: readonly string[];
  /** Whether the path contains no existing organization. The service then checks the permission first. */
  readonly withoutOrganization?: true;
  /** Returns the organizations of the request. Default: `setup.organizations.shared`. */
  organizations?(setup: Setup): Promise<RequestOrganizations>;
  /** Returns the request. `credential` is the bearer token of the caller. */
  request(setup: Setup, orgs: RequestOrganizations, credential?: string): MatrixRequest | Promise<MatrixRequest>;
}

export const at = (orgs: RequestOrganizations, rest = ''): string => `/v1/organizations/${orgs.own}${rest}`;

/** The rows by operation ID. A function is the request of a row for all callers with the permission. */
export type MatrixRows = Readonly<Record<string, MatrixRow['request'] | MatrixRow | readonly MatrixRow[]>>;

/** Returns a row for a request to the organization, with a body or without. */
export const sends = (
  rest: string | ((setup: Setup) => string),
  body?: object | ((setup: Setup, orgs: RequestOrganizations) => object | Promise<object>),
  more: Omit<MatrixRow, 'request'> = {},
): MatrixRow => ({
  ...more,
  request: async (setup, orgs) => ({
    path: at(orgs, typeof rest === 'string' ? rest : rest(setup)),
    body: typeof body === 'function' ? await body(setup, orgs) : body,
  }),
});

/** Returns a row for a request to a new resource of the organization, with a body or without. */
export const onNew = (resource: string, rest = '', body?: () => object, more: Omit<MatrixRow, 'request'> = {}): MatrixRow => ({
  ...more,
  request: async (setup, orgs) => ({
    path: at(orgs, `/${resource}/${await setup.createResource(resource, orgs.own)}${rest}`),
    body: body?.(),
  }),
});

/** What the rows of operations that only platform keys can use have in common. */
export const OF_PLATFORM = { withoutOrganization: true, platformOnly: true, outside: 'open' } as const;

export const newOrganizations = (setup: Setup): Promise<RequestOrganizations> => setup.newOrganizations();

export const own = (path: string, body?: object): MatrixRow => ({
  ownAccount: 'of a user',
  request: () => ({ path, body }),
});

export const publicly = (request: MatrixRow['request'], more: Pick<MatrixRow, 'repeatable'> = {}): MatrixRow => ({
  public: true,
  request,
  ...more,
});

export const open = (path: string): MatrixRow => publicly(() => ({ path }));
