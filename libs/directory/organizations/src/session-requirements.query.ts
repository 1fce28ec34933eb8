import { Injectable } from '@nestjs/common';
import {
  bindingSessionOf,
  type Caller,
  Clock,
  covers,
  DomainError,
  type OrganizationScope,
  type RequestContext,
  type RequestSession,
} from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { findUnmetRule, isInAllNetworks, strictestSettings } from './settings/session-rules.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'name' | 'tenantId' | 'ancestorIds'>;

const ORGANIZATION_ROW = row({ id: column.text(), ancestorIds: column.arrayOf(column.text()) });

/** The session does not satisfy the rules of an organization that the change affects: 403. */
class AffectedOrganizationInaccessible extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor({ id, name }: Pick<OrganizationRef, 'id'> & { readonly name?: string }) {
    super(
      `The request affects the organization ${name === undefined ? id : `"${name}" (${id})`}, whose rules for multi-factor authentication, networks or session times this session does not satisfy. Sign in again with a second factor, from an allowed network.`,
    );
  }
}

/** Finds organizations whose rules a session doesn't satisfy: second factor, networks and session times. */
@Injectable()
export class SessionRequirementsQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {
    super(dataSource);
  }

  /**
   * Returns the ids of organizations whose rules the session doesn't satisfy. Checks the organizations of the caller and the descendants
   * that set a rule. Includes deleted descendants, because callers can list and restore the descendants. Callers must exclude all
   * descendants of the returned organizations.
   */
  async listUnmet(
    ctx: RequestContext,
    // Stryker disable next-line ArrayDeclaration: no organization has the id of the mutant.
    { organizationIds = [], tenantIds }: Pick<Caller, 'organizationIds' | 'tenantIds'>,
    session: RequestSession,
  ): Promise<string[]> {
    if (!isInAllNetworks(ctx, session.rules)) return [...organizationIds];
    const organizations = await this.query(
      ctx,
      ORGANIZATION_ROW,
      `SELECT id, ancestor_ids AS "ancestorIds" FROM organizations
       WHERE ((deleted_at IS NULL AND id = ANY($1)) OR (ancestor_ids && $1 AND (settings_overrides ->> 'requireMfa' = 'true'
         OR settings_overrides ?| ARRAY['mfaMethods', 'allowedNetworks', 'sessionTimeout', 'sessionLifetime'])))
         ${tenantIds ? 'AND tenant_id = ANY($2)' : ''}`,
      tenantIds ? [organizationIds, tenantIds] : [organizationIds],
    );
    const resolved = await this.effectiveSettings.resolveAll(ctx, organizations);
    const now = this.clock.now();
    return resolved.flatMap(([{ id }, { values }]) =>
      findUnmetRule(strictestSettings([values]), session, ctx, now) ? [id] : [],
    );
  }

  /**
   * Asserts that organizations accept the session of the caller, if the caller has a session. For organizations that a request affects but
   * does not address.
   * @throws AffectedOrganizationInaccessible (403)
   */
  async assertMet(ctx: RequestContext, organizations: readonly OrganizationRef[]): Promise<void> {
    const session = bindingSessionOf(ctx);
    if (!session) return;
    // Stryker disable next-line ConditionalExpression: without organizations, the query finds nothing.
    if (organizations.length === 0) return;
    const scope = {
      organizationIds: organizations.map(({ id }) => id),
      tenantIds: [...new Set(organizations.map(({ tenantId }) => tenantId))],
    };
    const unmet = await this.listUnmet(ctx, scope, session);
    const inaccessible = organizations.find((organization) => unmet.some((id) => covers(id, organization)));
    if (inaccessible) throw new AffectedOrganizationInaccessible(inaccessible);
  }

  /**
   * Same as `assertMet` for those of the descendants `ids` of an organization that set rules themselves.
   * @throws AffectedOrganizationInaccessible (403)
   */
  async assertMetAmong(
    ctx: RequestContext,
    { tenantId, id: rootId }: Pick<OrganizationRef, 'id' | 'tenantId'>,
    ids: readonly string[],
  ): Promise<void> {
    const session = bindingSessionOf(ctx);
    if (!session) return;
    const unmet = await this.listUnmet(ctx, { organizationIds: [rootId], tenantIds: [tenantId] }, session);
    const affected = new Set(ids);
    const id = unmet.find((each) => each !== rootId && affected.has(each));
    if (id !== undefined) throw new AffectedOrganizationInaccessible({ id });
  }
}
