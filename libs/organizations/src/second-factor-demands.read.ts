import { Injectable } from '@nestjs/common';
import { holdsSecondFactor, type RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';
import { EffectiveSettings } from './effective-settings.js';

/** Finds where a session lacks the second factor that is required. */
@Injectable()
export class SecondFactorDemands extends BaseRepository {
  constructor(
    dataSource: DataSource,
    private readonly settings: EffectiveSettings,
  ) {
    super(dataSource);
  }

  /**
   * Of the organizations and those below them: where the demand that the session does not meet comes from. It holds for all below those
   * found; one that lifts it again further down is not told apart. Deleted ones below
   * count, too, since they can be listed and restored.
   */
  async unmet(
    ctx: RequestContext,
    organizationIds: readonly string[],
    authenticationMethods: readonly string[],
  ): Promise<string[]> {
    const places = await this.query<{ id: string; ancestorIds: string[] }>(
      ctx,
      `SELECT id, ancestor_ids AS "ancestorIds" FROM organizations
       WHERE (deleted_at IS NULL AND id = ANY($1)) OR (ancestor_ids && $1
         AND (settings_overrides ->> 'requireMfa' = 'true' OR settings_overrides ? 'mfaMethods'))`,
      [organizationIds],
    );
    const settings = await this.settings.ofMany(ctx, places);
    return places
      .map(({ id }) => id)
      .filter((id) => {
        const { requireMfa, mfaMethods } = settings.get(id)!.values;
        return requireMfa && !holdsSecondFactor(authenticationMethods, mfaMethods);
      });
  }
}
