import { Injectable } from '@nestjs/common';
import { type Caller, hasSecondFactor, isInNetworks, type RequestContext, type RequestSession } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { EffectiveSettingsService } from './effective-settings.service.js';

const ORGANIZATION_ROW = row({ id: column.text(), ancestorIds: column.arrayOf(column.text()) });

/** Finds organizations that require a second factor or a network that a session doesn't have. */
@Injectable()
export class SessionRequirementsQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {
    super(dataSource);
  }

  /**
   * Returns the ids of organizations whose requirements the session doesn't satisfy. Checks the organizations of the caller and the
   * descendants that set a requirement. Includes deleted descendants, because callers can list and restore the descendants. Callers must exclude all descendants
   * of the returned organizations.
   */
  async listUnmet(
    ctx: RequestContext,
    // Stryker disable next-line ArrayDeclaration: no organization has the id of the mutant.
    { organizationIds = [], tenantIds }: Pick<Caller, 'organizationIds' | 'tenantIds'>,
    { authenticationMethods }: Pick<RequestSession, 'authenticationMethods'>,
  ): Promise<string[]> {
    const organizations = await this.query(
      ctx,
      ORGANIZATION_ROW,
      `SELECT id, ancestor_ids AS "ancestorIds" FROM organizations
       WHERE ((deleted_at IS NULL AND id = ANY($1)) OR (ancestor_ids && $1
         AND (settings_overrides ->> 'requireMfa' = 'true' OR settings_overrides ?| ARRAY['mfaMethods', 'allowedNetworks'])))
         ${tenantIds ? 'AND tenant_id = ANY($2)' : ''}`,
      tenantIds ? [organizationIds, tenantIds] : [organizationIds],
    );
    const resolved = await this.effectiveSettings.resolveAll(ctx, organizations);
    return resolved.flatMap(([{ id }, { values }]) => {
      const { requireMfa, mfaMethods, allowedNetworks } = values;
      const lacksSecondFactor = requireMfa && !hasSecondFactor(authenticationMethods, mfaMethods);
      const isOutsideNetworks = allowedNetworks.length > 0 && !isInNetworks(ctx, allowedNetworks);
      return lacksSecondFactor || isOutsideNetworks ? [id] : [];
    });
  }
}
