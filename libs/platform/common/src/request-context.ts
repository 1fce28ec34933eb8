/** Who did it, as events show it (specification 6.2). */
export interface Actor {
  readonly type: 'user' | 'system' | 'api';
  readonly id?: string;
  readonly email?: string;
}

/** The place of an organization in its tree: all that access decisions need. */
export interface OrganizationScope {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly slug: string;
  readonly status: 'active' | 'suspended' | 'pending';
  /** From the root down to the parent; empty for a root. */
  readonly ancestorIds: readonly string[];
}

/** Permissions that a user's roles give in an organization and those below it. */
export interface Grant {
  readonly organizationId: string;
  readonly permissions: readonly string[];
  /** Lent by break glass: used like any other, but never granted to anybody. */
  readonly lent?: boolean;
}

/** What the caller is and may do; decided once, by the access guard. */
export interface Caller {
  readonly kind: 'anonymous' | 'platform' | 'key' | 'user' | 'system';
  /** Key or user id. */
  readonly id?: string;
  /**
   * The organizations that the caller reaches, with those below: of a key the one where it lives; of a user those whose grants hold the
   * permission that the operation needs.
   */
  readonly organizationIds?: readonly string[];
  /** Of a user, those of them where the permission is not only lent by break glass. */
  readonly ownOrganizationIds?: readonly string[];
  /**
   * Where no organization is addressed: those that the session may not enter for want of a second factor, nor those below. Not set where
   * one is, since its own settings decide.
   */
  readonly barredOrganizationIds?: readonly string[];
  readonly tenantId?: string;
  /** Of a key, the user who owns it, if one does. */
  readonly owner?: { readonly tenantId: string; readonly id: string };
  /** Of a key, from where it works (null: from everywhere) and until when (null: without end). */
  readonly keyLimits?: { readonly allowedNetworks: readonly string[] | null; readonly expiresAt: Date | null };
  /** The organization of the API key or, of a user, the one signed in to or the managing one, is suspended, or one above it. */
  readonly suspended?: boolean;
  /**
   * Granted permissions (`users:read`, `users:*`, `*`), for a user those in the addressed organization; where none is addressed, the one
   * that the operation needs.
   */
  readonly permissions: readonly string[];
  /** Of a user, all that its roles give, wherever; see `permissionsAt`. */
  readonly grants?: readonly Grant[];
}

/** The session that a request was made with. */
export interface RequestSession {
  readonly id: string;
  /** The organization that was signed in to: its settings govern the session. */
  readonly organizationId: string;
  /** How the user proved who they are, such as `password` and `totp`. */
  readonly authenticationMethods: readonly string[];
  /** When the user signed in. */
  readonly createdAt: Date;
  /** When the user signed in, or last proved again who they are. */
  readonly authenticatedAt: Date;
  /** The absolute end, whatever the activity. */
  readonly expiresAt: Date;
  /** Networks from which the organization signed in to is managed; empty: from everywhere. */
  readonly allowedNetworks: readonly string[];
  /** May do nothing but add a second factor: it was made so, or the organization requires one by now. */
  readonly enrolmentOnly: boolean;
}

/** The session of an operator, who came to the dashboard by a link that works once and may do what a platform key may. */
export interface OperatorSession {
  readonly id: string;
  /** The end, whatever the activity. */
  readonly expiresAt: Date;
}

/** An open database transaction. Opaque on purpose: only repositories can reach the connection in it. */
export abstract class Transaction {
  protected readonly opaque = true;
}

/** Made once at the edge (request or job), immutable, the first argument everywhere. */
export interface RequestContext {
  readonly actor: Actor;
  readonly caller: Caller;
  /** Only of a signed-in user. */
  readonly session?: RequestSession;
  /** Only of an operator. */
  readonly operatorSession?: OperatorSession;
  /** The organization that the request addresses, resolved and found reachable by the access guard. */
  readonly organization?: OrganizationScope;
  readonly requestId: string;
  /** The request's span, as W3C Trace Context writes it; only while traces are on. */
  readonly traceparent?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  readonly source: 'api' | 'dashboard' | 'system';
  /** The header of that name: the change is wanted only if the resource is still as the caller saw it. */
  readonly ifMatch?: string;
  readonly transaction?: Transaction;
}

/** The context of work that nobody asked for: jobs, start-up, migrations of data. */
export function systemContext(requestId: string): RequestContext {
  return { actor: { type: 'system' }, caller: { kind: 'system', permissions: ['*'] }, requestId, source: 'system' };
}

/** The session; its absence is a programming error, since the guard lets nobody else pass to the routes of `@OwnAccount`. */
export function sessionOf(ctx: RequestContext): RequestSession {
  if (!ctx.session) throw new Error('This operation needs a session; declare it with @OwnAccount.');
  return ctx.session;
}

/** The key of the signed-in user. */
export function ownUserOf(ctx: RequestContext): { readonly tenantId: string; readonly id: string } {
  const { kind, tenantId, id } = ctx.caller;
  if (kind !== 'user' || tenantId === undefined || id === undefined)
    throw new Error('This operation needs a signed-in user; declare it with @OwnAccount.');
  return { tenantId, id };
}

/** Who owns what the caller creates: a user does, and a key passes its own owner on; what the platform creates has none. */
export function ownerFor({ kind, tenantId, id, owner }: Caller): { ownerTenantId: string | null; ownerId: string | null } {
  if (kind === 'user' && tenantId && id) return { ownerTenantId: tenantId, ownerId: id };
  return { ownerTenantId: owner?.tenantId ?? null, ownerId: owner?.id ?? null };
}

/** The addressed organization; its absence is a programming error, since the guard resolves it for every such route. */
export function organizationOf(ctx: RequestContext): OrganizationScope {
  if (!ctx.organization) throw new Error('This operation addresses no organization; declare it with @Requires.');
  return ctx.organization;
}
