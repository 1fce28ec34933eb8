import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext, SessionRules } from '#platform/common';
import { type ResolvedSettings, resolveSettings, type SettingsLayer } from './settings/settings.js';
import { strictestSettings } from './settings/session-rules.js';
import { SettingsLayersQuery } from './settings/settings-layers.query.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'ancestorIds'>;

/** Reads effective settings without a cache, so that a change in an ancestor takes effect immediately. */
@Injectable()
export class EffectiveSettingsService {
  constructor(private readonly settingsLayers: SettingsLayersQuery) {}

  async get(ctx: RequestContext, organization: OrganizationRef): Promise<ResolvedSettings> {
    const layers = await this.settingsLayers.findByChains(ctx, [[...organization.ancestorIds, organization.id]]);
    return resolveSettings(chainOf(organization, layers));
  }

  /** Returns the rules of sessions that several organizations accept. Runs one statement. */
  async getSessionRules(ctx: RequestContext, organizations: readonly OrganizationRef[]): Promise<SessionRules> {
    return strictestSettings((await this.resolveAll(ctx, organizations)).map(([, { values }]) => values));
  }

  /** Returns the effective settings of many organizations, by organization id, with one statement. */
  async getMany(ctx: RequestContext, organizations: readonly OrganizationRef[]): Promise<Map<string, ResolvedSettings>> {
    const resolved = await this.resolveAll(ctx, organizations);
    return new Map(resolved.map(([{ id }, settings]) => [id, settings]));
  }

  /** Returns the organizations, in the order of the argument, with the effective settings. Runs one statement. */
  async resolveAll<T extends OrganizationRef>(
    ctx: RequestContext,
    organizations: readonly T[],
  ): Promise<[T, ResolvedSettings][]> {
    const layers = await this.settingsLayers.findByChains(
      ctx,
      organizations.map(({ id, ancestorIds }) => [...ancestorIds, id]),
    );
    return organizations.map((organization) => [organization, resolveSettings(chainOf(organization, layers))]);
  }

  /** Returns the settings that the ancestors of an organization set themselves, root first. */
  async ancestorLayers(ctx: RequestContext, organization: Pick<OrganizationScope, 'ancestorIds'>): Promise<SettingsLayer[]> {
    const layers = await this.settingsLayers.findByChains(ctx, [organization.ancestorIds]);
    return layersOf(organization.ancestorIds, layers);
  }
}

const chainOf = ({ id, ancestorIds }: OrganizationRef, layers: ReadonlyMap<string, SettingsLayer>): SettingsLayer[] =>
  layersOf([...ancestorIds, id], layers);

const layersOf = (ids: readonly string[], layers: ReadonlyMap<string, SettingsLayer>): SettingsLayer[] =>
  ids.map((id) => layers.get(id)).filter((layer) => layer !== undefined);
