import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { type ResolvedSettings, resolveSettings, type SettingsLayer } from './settings/settings.js';
import { SettingsLayersQuery } from './settings/settings-layers.query.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'ancestorIds'>;

/** Settings in force, read fresh: a change above shows below in the next read. */
@Injectable()
export class EffectiveSettingsService {
  constructor(private readonly settingsLayers: SettingsLayersQuery) {}

  /** One statement, however deep the organization lies. */
  async get(ctx: RequestContext, organization: OrganizationRef): Promise<ResolvedSettings> {
    const layers = await this.settingsLayers.findByChains(ctx, [[...organization.ancestorIds, organization.id]]);
    return resolveSettings(chainOf(organization, layers));
  }

  async getMany(ctx: RequestContext, organizations: readonly OrganizationRef[]): Promise<Map<string, ResolvedSettings>> {
    const layers = await this.settingsLayers.findByChains(
      ctx,
      organizations.map(({ id, ancestorIds }) => [...ancestorIds, id]),
    );
    return new Map(organizations.map((place) => [place.id, resolveSettings(chainOf(place, layers))]));
  }

  /** What the organizations above say, root first: for judging a change below before it is made. */
  async ancestorLayers(ctx: RequestContext, organization: Pick<OrganizationScope, 'ancestorIds'>): Promise<SettingsLayer[]> {
    const layers = await this.settingsLayers.findByChains(ctx, [organization.ancestorIds]);
    return layersOf(organization.ancestorIds, layers);
  }
}

const chainOf = ({ id, ancestorIds }: OrganizationRef, layers: ReadonlyMap<string, SettingsLayer>): SettingsLayer[] =>
  layersOf([...ancestorIds, id], layers);

const layersOf = (ids: readonly string[], layers: ReadonlyMap<string, SettingsLayer>): SettingsLayer[] =>
  ids.map((id) => layers.get(id)).filter((layer) => layer !== undefined);
