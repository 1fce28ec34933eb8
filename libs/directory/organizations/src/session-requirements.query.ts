import { Injectable } from '@nestjs/common';
import { holdsSecondFactor, isInNetworks, type RequestContext, type RequestSession } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { EffectiveSettingsService } from './effective-settings.service.js';

const ORGANIZATION_ROW = row({ id: column.text(), ancestorIds: column.arrayOf(column.text()) });

/** Finds where a session lacks what the settings demand: a second factor, or an allowed network. */
@Injectable()
export class SessionRequirementsQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {
    super(dataSource);
  }

  /**
   * Of the organizations and those below them: where a demand that the session does not meet comes from. It holds for all below those
   * found; one that lifts it again further down is not told apart. Deleted ones below count, too, since they can be listed and restored.
   */
  async listUnmet(
    ctx: RequestContext,
    organizationIds: readonly string[],
    { authenticationMethods }: Pick<RequestSession, 'authenticationMethods'>,
  ): Promise<string[]> {
    const organizations = await this.query(
      ctx,
      ORGANIZATION_ROW,
      `SELECT id, ancestor_ids AS "ancestorIds" FROM organizations
       WHERE (deleted_at IS NULL AND id = ANY($1)) OR (ancestor_ids && $1
         AND (settings_overrides ->> 'requireMfa' = 'true' OR settings_overrides ?| ARRAY['mfaMethods', 'allowedNetworks']))`,
      [organizationIds],
    );
    const settings = await this.effectiveSettings.getMany(ctx, organizations);
    return [...settings].flatMap(
      ([
        id,
        {
          values: { requireMfa, mfaMethods, allowedNetworks },
        },
      ]) => {
        const lacksSecondFactor = requireMfa && !holdsSecondFactor(authenticationMethods, mfaMethods);
        const isOutsideNetworks = allowedNetworks.length > 0 && !isInNetworks(ctx.ipAddress, allowedNetworks);
        return lacksSecondFactor || isOutsideNetworks ? [id] : [];
      },
    );
  }
}
