import type { SetupStep } from './setup-steps.js';

/** Who can cause a change, as in events. */
export const ACTOR_TYPES = ['user', 'system', 'api', 'setup_link', 'scim', 'anonymous'] as const;

/** Who can call an operation. An OAuth client is a kind of its own, also when it acts for a user. */
export type CallerKind = 'anonymous' | 'platform' | 'key' | 'user' | 'oauth' | 'setup_link' | 'scim' | 'system';

/** The kinds of callers that can create API keys and OAuth clients. */
export const CREATOR_KINDS = ['user', 'key', 'oauth', 'platform'] as const satisfies readonly CallerKind[];

/** An OAuth client, as events name it. */
export interface ClientReference {
  readonly id: string;
  readonly name: string;
}

/** The actor of a change, as in events (specification 6.2). */
export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  readonly id?: string;
  readonly email?: string;
  /** The name of the API key or SCIM connection at the time of the change. */
  readonly name?: string;
  /** The last characters of the API key, by which people recognize the key. */
  readonly last4?: string;
  /** Set for a platform key and for an operator, who belong to no organization. */
  readonly platform?: true;
  /** The OAuth client that acted for the user, or the machine client. */
  readonly client?: ClientReference;
  /** Set if the access was passed on by token exchanges: all clients, from the one to which the first token was issued to `client`. */
  readonly clientChain?: readonly ClientReference[];
  /** The user who acts for support in the session of the actor. */
  readonly impersonator?: { readonly id: string };
}

/** The user who acts in the session of another user for support. */
export interface Impersonator {
  readonly tenantId: string;
  readonly id: string;
  readonly email: string;
  readonly impersonationId: string;
}

/** An organization with its ancestors, for access checks. */
export interface OrganizationScope {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly slug: string;
  readonly status: 'active' | 'suspended' | 'pending';
  /** From the root organization to the parent. Empty for a root organization. */
  readonly ancestorIds: readonly string[];
}

/** Permissions that a user has in an organization and its descendants. */
export interface Grant {
  readonly organizationId: string;
  readonly permissions: readonly string[];
  /** Whether the permissions come from break-glass access. The user can't grant such permissions. */
  readonly temporary?: boolean;
}

/** The caller of a request with its permissions. Set by the access guard. */
export interface Caller {
  readonly kind: CallerKind;
  /** ID of the API key, user, setup link or SCIM connection. For `oauth`: of the user for whom the OAuth client acts, or of the client. */
  readonly id?: string;
  /**
   * The organizations that the caller can access. The caller can also access their descendants. An API key has one organization. A user has
   * the organizations in which the user has the permission that the operation requires.
   */
  readonly organizationIds?: readonly string[];
  /** For a user: the organizations in which the user has the permission without break-glass access. */
  readonly ownOrganizationIds?: readonly string[];
  /**
   * Set only if the route has no organization: the organizations that the session can't access because they require a second factor,
   * including their descendants.
   */
  readonly inaccessibleOrganizationIds?: readonly string[];
  readonly tenantId?: string;
  /** The tenants of `organizationIds`. A user who is a guest in other tenants has several tenants. */
  readonly tenantIds?: readonly string[];
  /** The user who owns the API key or OAuth client, or for whom the OAuth client acts, if any. */
  readonly owner?: { readonly tenantId: string; readonly id: string };
  /** For an API key: the allowed networks (null: all) and the expiry (null: none). */
  readonly keyLimits?: { readonly allowedNetworks: readonly string[] | null; readonly expiresAt: Date | null };
  /**
   * Whether the organization of the API key is suspended or has a suspended ancestor. For a user: whether this is true for the sign-in
   * organization or the managing organization.
   */
  readonly suspended?: boolean;
  /**
   * Permissions (`users:read`, `users:*`, `*`). For a user: the permissions in the organization of the route, or only the required
   * permission if the route has no organization.
   */
  readonly permissions: readonly string[];
  /** For a setup link: the only routes that it can call are the routes of these steps. */
  readonly setupSteps?: readonly SetupStep[];
  /** For a SCIM connection: its organization, whether it can take over existing users, and its mode. */
  readonly scim?: {
    readonly organization: OrganizationScope;
    readonly name: string;
    readonly adoptExistingUsers: boolean;
    readonly mode: string;
  };
  /** For a user: the permissions in all organizations (see `permissionsAt`). */
  readonly grants?: readonly Grant[];
}

/** What organizations require of a session. */
export interface SessionRules {
  readonly requireMfa: boolean;
  readonly mfaMethods: readonly string[];
  /** Lists of networks. One network of each list must contain the address of the client. */
  readonly allowedNetworks: readonly (readonly string[])[];
  /** Seconds without activity after which a session ends. */
  readonly sessionTimeout: number;
  /** Seconds after which a session ends regardless of activity. */
  readonly sessionLifetime: number;
}

export interface RequestSession {
  readonly id: string;
  /** The organization of the sign-in. */
  readonly organizationId: string;
  /** How the user authenticated, for example `password` and `totp`. */
  readonly authenticationMethods: readonly string[];
  readonly createdAt: Date;
  /** Time of the sign-in or of the last reauthentication. */
  readonly authenticatedAt: Date;
  /** Time at which even an active session expires. */
  readonly expiresAt: Date;
  /** The longest time without a request since the sign-in or the last reauthentication, in seconds. */
  readonly longestIdleSeconds: number;
  /** The strictest rules of the organization that manages the user and the organization of the sign-in. */
  readonly rules: SessionRules;
  /** Whether the user must add a second factor before all other operations, because the rules require one. */
  readonly enrolmentOnly: boolean;
  /** Set only if another user acts in the session for support. */
  readonly impersonator?: Impersonator;
}

/** The session of an operator, who opened the dashboard with a one-time link. The session has the permissions of a platform key. */
export interface OperatorSession {
  readonly id: string;
  /** Time at which even an active session expires. */
  readonly expiresAt: Date;
}

/** What an OAuth client does for a user. */
export interface Delegation {
  readonly client: ClientReference;
  /** The session in which the user signed in at the client; with offline access, a session that has just begun. */
  readonly session: RequestSession;
}

/** An open database transaction. Opaque: only repositories and queries can use its connection. */
export abstract class Transaction {
  protected readonly opaque = true;
}

/** The context of a request or job. Immutable, and the first argument of every method of a service. */
export interface RequestContext {
  readonly actor: Actor;
  readonly caller: Caller;
  /** Set only for a signed-in user. */
  readonly session?: RequestSession;
  /** Set only for an OAuth client that acts for a user. */
  readonly delegation?: Delegation;
  /** Set only for an operator. */
  readonly operatorSession?: OperatorSession;
  /** The organization in the path. Set after the access guard has checked the access of the caller. */
  readonly organization?: OrganizationScope;
  readonly requestId: string;
  /** The span of the request (W3C Trace Context). Set only if traces are enabled. */
  readonly traceparent?: string;
  /** The address of the client, without a port or zone; IPv6 as RFC 5952 writes it. */
  readonly ipAddress?: string;
  /** Set if a trusted proxy did not send a valid address of the client: `ipAddress` is then the address of the nearest trusted proxy. */
  readonly isProxyAddress?: true;
  readonly userAgent?: string;
  /**
   * The API key, platform key or machine client that sent the address of the client in `Client-Address`: `ipAddress` and `userAgent` are what
   * this credential says about an end user, not where the request comes from.
   */
  readonly forwardedBy?: Caller;
  readonly source: 'api' | 'dashboard' | 'system';
  /** The header If-Match: the change requires that the resource has this version. */
  readonly ifMatch?: string;
  readonly transaction?: Transaction;
  /** The moment of a read as of a past moment, in ISO 8601. All statements with this context read the rows that were valid then. */
  readonly asOf?: string;
  /**
   * Set only with `asOf`: organizations that the caller could see at the moment, or that were ancestors then, and that the caller can't see
   * now. Statements with this context don't read their rows.
   */
  readonly hiddenOrganizationIds?: readonly string[];
  /** Finds the OAuth client whose authorization request waits in this browser for a sign-in. */
  readonly findWaitingClient?: () => Promise<ClientReference | undefined>;
}

/** Where a request comes from. */
export type RequestOrigin = Pick<RequestContext, 'ipAddress' | 'isProxyAddress'>;

/** Returns the context for jobs, startup and data migrations, which have no request. */
export function systemContext(requestId: string): RequestContext {
  return { actor: { type: 'system' }, caller: { kind: 'system', permissions: ['*'] }, requestId, source: 'system' };
}

/** Returns the session. @throws Error if the route lacks `@OwnAccount` */
export function sessionOf(ctx: RequestContext): RequestSession {
  if (!ctx.session) throw new Error('This operation needs a session; declare it with @OwnAccount.');
  return ctx.session;
}

/** Returns the session whose rules bind the caller: of the user, or of the user for whom an OAuth client acts. API keys have none. */
export const bindingSessionOf = ({ session, delegation }: RequestContext): RequestSession | undefined =>
  session ?? delegation?.session;

/** Returns the tenant ID and the ID of the signed-in user. @throws Error if the route lacks `@OwnAccount` */
export function ownUserOf(ctx: RequestContext): { readonly tenantId: string; readonly id: string } {
  const { kind, tenantId, id } = ctx.caller;
  if (kind !== 'user' || tenantId === undefined || id === undefined)
    throw new Error('This operation needs a signed-in user; declare it with @OwnAccount.');
  return { tenantId, id };
}

/** Returns the owner of resources that the caller creates: the user, or the owner of the API key. Platform keys have no owner. */
export function ownerFor({ kind, tenantId, id, owner }: Caller): { ownerTenantId: string | null; ownerId: string | null } {
  if (kind === 'user' && tenantId && id) return { ownerTenantId: tenantId, ownerId: id };
  return { ownerTenantId: owner?.tenantId ?? null, ownerId: owner?.id ?? null };
}

/**
 * Returns the id of the API key, platform key or machine client of a request, so that what it creates can end with it. Null for people.
 */
export function credentialIdFor({ caller: { kind, id }, operatorSession, delegation }: RequestContext): string | null {
  if (operatorSession || delegation) return null;
  return kind === 'key' || kind === 'platform' || kind === 'oauth' ? (id ?? null) : null;
}

/** Returns the organization of the route. @throws Error if the route lacks `@Requires` */
export function organizationOf(ctx: RequestContext): OrganizationScope {
  if (!ctx.organization) throw new Error('This operation addresses no organization; declare it with @Requires.');
  return ctx.organization;
}
