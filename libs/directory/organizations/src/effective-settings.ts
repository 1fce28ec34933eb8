import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { OrganizationRepository } from './organization.repository.js';
import { type ResolvedSettings, resolveSettings, type SettingsLayer } from './settings/settings.js';

type Place = Pick<OrganizationScope, 'id' | 'ancestorIds'>;

/** Settings in force, read fresh: a change above shows below in the next read. */
@Injectable()
export class EffectiveSettings {
  constructor(private readonly organizations: OrganizationRepository) {}

  /** One statement, however deep the organization lies. */
  async of(ctx: RequestContext, organization: Place): Promise<ResolvedSettings> {
    return (await this.ofMany(ctx, [organization])).get(organization.id)!;
  }

  async ofMany(ctx: RequestContext, organizations: readonly Place[]): Promise<Map<string, ResolvedSettings>> {
    const layers = await this.organizations.settingsLayers(
      ctx,
      organizations.map(({ id, ancestorIds }) => [...ancestorIds, id]),
    );
    return new Map(organizations.map((place) => [place.id, resolveSettings(chainOf(place, layers))]));
  }

  /** What the organizations above say, root first: for judging a change below before it is made. */
  async layersAbove(ctx: RequestContext, organization: Pick<OrganizationScope, 'ancestorIds'>): Promise<SettingsLayer[]> {
    const layers = await this.organizations.settingsLayers(ctx, [organization.ancestorIds]);
    return organization.ancestorIds.map((id) => layers.get(id)!);
  }
}

const chainOf = ({ id, ancestorIds }: Place, layers: ReadonlyMap<string, SettingsLayer>): SettingsLayer[] =>
  [...ancestorIds, id].map((each) => layers.get(each)).filter((layer) => layer !== undefined);
