import { Injectable } from '@nestjs/common';
import { Clock, covers, type OrganizationScope, type RequestContext } from '#platform/common';
import { EffectiveSettingsService, findUnmetRule, OrganizationScopeQuery } from '#directory/organizations';
import { type ActiveSession, requestSessionOf } from '#identity/session-access';
import type { ApplicationObstacle } from '../approval/application-rule.js';
import { ApplicationRulesService } from '../approval/application-rules.service.js';
import { clientReaches } from '../clients/client-reach.js';
import type { KnownClient } from '../clients/oauth-client.query.js';

/** For which organization a user signs in at a client. */
export interface OrganizationChoice {
  /** The organizations from which the user can choose. */
  readonly candidates: readonly OrganizationScope[];
  /** Not set if the user must choose, or if there is none. */
  readonly organization?: OrganizationScope;
  /** The rule of the organization that the session does not satisfy. */
  readonly unmetRule?: 'network' | 'mfa' | 'time';
  /** Why the user can't use the application in the organization. */
  readonly obstacle?: ApplicationObstacle;
}

/** Finds the organization of a sign-in: the one of the request, the one that the user chose, or the only one. */
@Injectable()
export class OrganizationChoiceService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly applicationRules: ApplicationRulesService,
    private readonly clock: Clock,
  ) {}

  /** `requested` is an id or slug. An organization to which the user or the client has no access is not found. */
  async find(
    ctx: RequestContext,
    session: ActiveSession,
    client: KnownClient,
    requested: string | undefined,
  ): Promise<OrganizationChoice> {
    if (requested !== undefined) {
      const organization = await this.findRequested(ctx, session, client, requested);
      return organization ? this.withRules(ctx, session, client, organization) : { candidates: [] };
    }
    const candidates = await this.listCandidates(ctx, session, client);
    const [only, ...others] = candidates;
    return only && others.length === 0 ? this.withRules(ctx, session, client, only) : { candidates };
  }

  private async findRequested(
    ctx: RequestContext,
    session: ActiveSession,
    client: KnownClient,
    handle: string,
  ): Promise<OrganizationScope | undefined> {
    if (handle.includes('\0')) return undefined;
    const organization = await this.organizationScopes.findScope(ctx, handle);
    return organization && isOpen(session, client, organization) ? organization : undefined;
  }

  private async listCandidates(ctx: RequestContext, { user }: ActiveSession, client: KnownClient): Promise<OrganizationScope[]> {
    const ids = user.grants.filter(({ temporary }) => !temporary);
    const byTenant = groupedByTenant(ids);
    const listed = await Promise.all(
      [...byTenant].map(([tenantId, grants]) =>
        this.organizationScopes.listByIds(
          ctx,
          tenantId,
          grants.map(({ organizationId }) => organizationId),
        ),
      ),
    );
    const open = listed.flat().filter((organization) => isOpen({ user }, client, organization));
    // A user whose roles are in an ancestor has access to the organization of the client, too.
    if (open.length === 0 && client.organization && isOpen({ user }, client, client.organization)) return [client.organization];
    return open.toSorted((a, b) => a.name.localeCompare(b.name));
  }

  private async withRules(
    ctx: RequestContext,
    active: ActiveSession,
    client: KnownClient,
    organization: OrganizationScope,
  ): Promise<OrganizationChoice> {
    const session = requestSessionOf(active);
    const rules =
      session.organizationId === organization.id
        ? session.rules
        : await this.effectiveSettings.getSessionRules(ctx, [organization]);
    const unmetRule = findUnmetRule(rules, session, ctx, this.clock.now());
    const obstacle = await this.applicationRules.findObstacle(ctx, client, organization, active.user.grants);
    return { candidates: [organization], organization, ...(unmetRule ? { unmetRule } : {}), ...(obstacle ? { obstacle } : {}) };
  }
}

/** Returns whether the user has access to an active organization, and the client can sign users in there. */
const isOpen = ({ user }: Pick<ActiveSession, 'user'>, client: KnownClient, organization: OrganizationScope): boolean =>
  organization.status === 'active' &&
  clientReaches(client, organization) &&
  user.grants.some(({ organizationId }) => covers(organizationId, organization));

/** The id of a tenant is the id of its root organization. */
function groupedByTenant<G extends { readonly organizationId: string; readonly ancestorIds: readonly string[] }>(
  grants: readonly G[],
): ReadonlyMap<string, G[]> {
  const byTenant = new Map<string, G[]>();
  for (const grant of grants) {
    const tenantId = grant.ancestorIds[0] ?? grant.organizationId;
    byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), grant]);
  }
  return byTenant;
}
