import { Injectable, type OnModuleInit } from '@nestjs/common';
import { changesBetween, newId, type OrganizationScope, type RequestContext } from '#platform/common';
import { type DomainEvent, type EventOrganization, OnDomainEvent, UnitOfWork } from '#platform/events';
import { MemberRemovalHandlers } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import { type LossAuthorization, unneeded } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { AccountAccess, type UserWithOrganization } from '#directory/users';
import type { ActiveSession } from '#identity/session-access';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { type ResourceScopes, resourceList } from '../clients/oauth-client.entity.js';
import type { OAuthGrantData } from '../oauth.definitions.js';
import { OAuthSessionQuery } from '../sessions/oauth-session.query.js';
import { usableUntil } from '../sessions/usable-until.js';
import { OAuthGrant } from './oauth-grant.entity.js';
import { OAuthGrantQuery } from './oauth-grant.query.js';
import { OAuthGrantRepository } from './oauth-grant.repository.js';

/** What a user allows a client to do in an organization. */
export interface PendingGrant {
  /** The id of a new grant. */
  readonly id: string;
  readonly organization: OrganizationScope;
  readonly client: { readonly id: string; readonly tenantId: string; readonly name: string };
  readonly user: UserKey;
  readonly scopes: readonly string[];
  readonly resourceScopes: ResourceScopes;
}

/** The client at which a user signs in. */
export type SignInClient = Pick<KnownClient, 'id' | 'clientId' | 'backchannelLogoutUri'>;

/**
 * Writes grants: one for each user, client and organization. Ends them with what they rest on: a membership, the access of an account whose
 * address was not confirmed, or the user. Without it, they would be worth nothing (`StandingService`), but would return together with the
 * membership.
 */
@Injectable()
export class OAuthGrantsService implements OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly grants: OAuthGrantRepository,
    private readonly sessions: OAuthSessionQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly memberRemoval: MemberRemovalHandlers,
    private readonly accountAccess: AccountAccess,
  ) {}

  onModuleInit(): void {
    this.memberRemoval.register((ctx, organization, { id }, loss) => this.endIn(ctx, organization, id, 'member_removed', loss));
    this.accountAccess.register((ctx, owner, { reason }) => this.endAll(ctx, owner, reason));
  }

  findLive(
    ctx: RequestContext,
    { organization, client, user }: Pick<PendingGrant, 'organization' | 'client' | 'user'>,
  ): Promise<OAuthGrant | null> {
    const { tenantId, id: organizationId } = organization;
    return this.grants.findLive(ctx, { tenantId, organizationId, clientId: client.id, userId: user.id });
  }

  /** Creates a grant, or adds scopes to the existing grant. */
  async allow(ctx: RequestContext, allowed: PendingGrant): Promise<OAuthGrant> {
    const { organization, client, user } = allowed;
    return this.work.run(ctx, async (ctx) => {
      const { tenantId, id: organizationId } = organization;
      const existing = await this.grants.lockOrReserve(ctx, { tenantId, organizationId, clientId: client.id, userId: user.id });
      if (existing) return this.extend(ctx, existing, allowed);
      const now = this.work.now();
      const grant = Object.assign(new OAuthGrant(), {
        tenantId,
        id: allowed.id,
        organizationId,
        clientTenantId: client.tenantId,
        clientId: client.id,
        userTenantId: user.tenantId,
        userId: user.id,
        scopes: [...allowed.scopes],
        resourceScopes: allowed.resourceScopes,
        createdAt: now,
        updatedAt: now,
        lastUsedAt: null,
        revokedAt: null,
      } satisfies OAuthGrant);
      await this.grants.insert(ctx, grant);
      await this.work.publish(ctx, 'oauth_grant.created', organization, grantData(grant, client.name), { userId: user.id });
      return grant;
    });
  }

  /** Records that a code was issued for the grant in a session, in the transaction of the code. */
  async recordUse(
    ctx: RequestContext,
    { id, organization }: Pick<PendingGrant, 'id' | 'organization'>,
    client: SignInClient,
    active: ActiveSession,
  ): Promise<void> {
    const { tenantId } = organization;
    const now = this.work.now();
    await this.grants.recordUse(ctx, tenantId, id, now);
    if (client.backchannelLogoutUri === null) return;
    const { session, user } = active;
    const providerId = session.identityProviderId ? [session.identityProviderId] : [];
    await this.sessions.record(ctx, {
      tenantId,
      sessionId: session.id,
      grantId: id,
      organizationId: organization.id,
      clientId: client.id,
      audience: client.clientId,
      user: { tenantId: session.tenantId, id: session.userId },
      restsOn: [...new Set([organization.id, session.organizationId, ...user.managingPath.slice(-1), ...providerId])],
      createdAt: now,
      checkAt: usableUntil(active),
    });
  }

  /** Revokes a grant that the caller has locked, in the same transaction. */
  async revoke(
    ctx: RequestContext,
    grant: OAuthGrant,
    organization: EventOrganization,
    clientName: string,
    reason: string,
    loss: LossAuthorization,
  ): Promise<void> {
    await this.grants.revoke(ctx, grant, this.work.now(), loss);
    const data = { ...grantData(grant, clientName), reason };
    await this.work.publish(ctx, 'oauth_grant.revoked', organization, data, { userId: grant.userId });
  }

  /** Returns the name of the client of a grant. It is empty if the client was deleted. */
  async clientNameOf(ctx: RequestContext, { clientTenantId, clientId }: OAuthGrant): Promise<string> {
    const clients = await this.clientQuery.mapByIds(ctx, [{ tenantId: clientTenantId, id: clientId }], this.work.now());
    return clients.get(clientId)?.name ?? '';
  }

  newGrantId(): string {
    return newId('oauthGrant');
  }

  @OnDomainEvent('user.deleted', { mode: 'transactional' })
  async deleteOfUser(ctx: RequestContext, { data }: DomainEvent<'user.deleted'>): Promise<void> {
    if (data.permanent) await this.grantQuery.deleteOfUser(ctx, data.id);
  }

  private async endIn(
    ctx: RequestContext,
    organization: OrganizationScope,
    userId: string,
    reason: string,
    loss: LossAuthorization,
  ): Promise<void> {
    const { tenantId, id: organizationId } = organization;
    for (const grant of await this.grants.findAll(ctx, { tenantId, organizationId, userId }))
      await this.revoke(ctx, grant, organization, await this.clientNameOf(ctx, grant), reason, loss);
  }

  private async endAll(ctx: RequestContext, { user }: UserWithOrganization, reason: string): Promise<void> {
    for (const tenantId of [user.tenantId, ...user.guestTenantIds]) {
      const grants = await this.grants.findAll(ctx, { tenantId, userId: user.id });
      const ids = grants.map(({ organizationId }) => organizationId);
      const organizations = ids.length === 0 ? [] : await this.organizationScopes.listByIds(ctx, tenantId, ids);
      for (const organization of organizations)
        await this.endIn(ctx, organization, user.id, reason, unneeded<'loss'>('unconfirmed_access'));
    }
  }

  private async extend(
    ctx: RequestContext,
    grant: OAuthGrant,
    { organization, client, ...allowed }: PendingGrant,
  ): Promise<OAuthGrant> {
    const before = grantData(grant, client.name);
    grant.scopes = union(grant.scopes, allowed.scopes);
    grant.resourceScopes = unionOfResources(grant.resourceScopes, allowed.resourceScopes);
    const changes = changesBetween(before, grantData(grant, client.name));
    if (Object.keys(changes).length === 0) return grant;
    grant.updatedAt = this.work.now();
    await this.grants.update(ctx, grant);
    const data = { ...grantData(grant, client.name), changes };
    await this.work.publish(ctx, 'oauth_grant.updated', organization, data, { userId: grant.userId });
    return grant;
  }
}

export const union = (first: readonly string[], second: readonly string[]): string[] => [...new Set([...first, ...second])];

export function unionOfResources(first: ResourceScopes, second: ResourceScopes): ResourceScopes {
  const identifiers = union(Object.keys(first), Object.keys(second));
  return Object.fromEntries(identifiers.map((each) => [each, union(first[each] ?? [], second[each] ?? [])]));
}

const grantData = (
  { id, clientId, userId, organizationId, scopes, resourceScopes }: OAuthGrant,
  clientName: string,
): OAuthGrantData => ({
  id,
  clientId,
  clientName,
  userId,
  organizationId,
  scopes: [...scopes],
  resources: resourceList(resourceScopes),
});
