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

/** What the caller is and may do; decided once, by the access guard. */
export interface Caller {
  readonly kind: 'anonymous' | 'platform' | 'key' | 'user' | 'system';
  /** Key or user id. */
  readonly id?: string;
  /** Where an organization key lives; it reaches this organization and those below. */
  readonly organizationId?: string;
  readonly tenantId?: string;
  /** Granted permissions (`users:read`, `users:*`, `*`), for a user those in the addressed organization. */
  readonly permissions: readonly string[];
}

/** An open database transaction. Opaque on purpose: only repositories can reach the connection in it. */
export abstract class Transaction {
  protected readonly opaque = true;
}

/** Made once at the edge (request or job), immutable, the first argument everywhere. */
export interface RequestContext {
  readonly actor: Actor;
  readonly caller: Caller;
  /** The organization that the request addresses, resolved and found reachable by the access guard. */
  readonly organization?: OrganizationScope;
  readonly requestId: string;
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

/** The addressed organization; its absence is a programming error, since the guard resolves it for every such route. */
export function organizationOf(ctx: RequestContext): OrganizationScope {
  if (!ctx.organization) throw new Error('This operation addresses no organization; declare it with @Requires.');
  return ctx.organization;
}
