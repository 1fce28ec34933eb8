import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type Changes, normalizedNetwork, organizationOf, type OrganizationScope, type RequestContext } from '#platform/common';
import { OrganizationCreationService } from '../organization-creation.service.js';
import type { Organization } from '../organization.entity.js';
import { RoleLookup } from '../organization-ports.js';
import { OrganizationRepository } from '../organization.repository.js';
import type { UpdateOrganizationRequest } from '../organization.requests.js';
import { OrganizationsService } from '../organizations.service.js';
import { type PreviewedOrganization, SettingsExplainedService } from '../settings/settings-explained.service.js';
import { fromPaths, pathsOf, wantedPaths } from './field-paths.js';
import './organization-fields.configuration.js';
import type { OrganizationFields } from './organization-fields.configuration.js';

export interface ConfiguredOrganization {
  readonly id: string;
  readonly slug: string;
  readonly parentId: string | null;
  readonly fields: Required<OrganizationFields>;
}

/** A change of the fields of an organization. */
export interface OrganizationFieldsChange {
  readonly changes: Changes;
  /** The change without new locks. Undefined if only locks are added. */
  readonly patch?: UpdateOrganizationRequest;
  /** The change that adds locks. Descendants must be changed before, because they can't change locked settings. */
  readonly locks?: UpdateOrganizationRequest;
}

/** Reads and writes the fields of organizations for their configuration. */
@Injectable()
export class OrganizationsConfigurationService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly creation: OrganizationCreationService,
    private readonly updates: OrganizationsService,
    private readonly explained: SettingsExplainedService,
    private readonly roleLookup: RoleLookup,
  ) {}

  /** Returns the organization of the context and its descendants, parents before their children. */
  async listTree(ctx: RequestContext): Promise<ConfiguredOrganization[]> {
    const organizations = await this.organizations.listSubtree(ctx, organizationOf(ctx));
    const depth = ({ ancestorIds }: Organization): number => ancestorIds.length;
    const listed: ConfiguredOrganization[] = [];
    for (const organization of organizations.toSorted((a, b) => depth(a) - depth(b)))
      listed.push(await this.configured(ctx, organization));
    return listed;
  }

  /** Returns the organization of the context, or undefined if it is deleted. */
  async find(ctx: RequestContext): Promise<ConfiguredOrganization | undefined> {
    const organization = await this.organizations.findLive(ctx, organizationOf(ctx));
    return organization ? this.configured(ctx, organization) : undefined;
  }

  /** Creates a child organization of the organization of the context. @throws the errors of `OrganizationCreationService.create` */
  async create(ctx: RequestContext, slug: string, fields: OrganizationFields): Promise<OrganizationScope> {
    const parent = organizationOf(ctx);
    const { name = slug, description, type } = fields;
    const request = { name, slug, parentId: parent.id, ...(description ? { description } : {}), ...(type ? { type } : {}) };
    return this.creation.create(ctx, request);
  }

  /** Returns the change from the stored fields to the fields of a document, or undefined. */
  async findChange(
    ctx: RequestContext,
    stored: Required<OrganizationFields>,
    fields: OrganizationFields,
    prune: boolean,
  ): Promise<OrganizationFieldsChange | undefined> {
    const before = pathsOf(stored);
    const wanted = wantedPaths(await this.normalized(ctx, fields), before, prune);
    const changed = Object.entries(wanted).filter(([path, value]) => !isDeepStrictEqual(value ?? null, before[path] ?? null));
    if (changed.length === 0) return undefined;
    const changes = Object.fromEntries(changed.map(([path, to]) => [path, { from: before[path] ?? null, to: to ?? null }]));
    const request = fromPaths(Object.fromEntries(changed)) as UpdateOrganizationRequest;
    const { lockedSettings, ...patch } = request;
    if (!lockedSettings) return { changes, patch };
    const kept = lockedSettings.filter((field) => stored.lockedSettings.includes(field));
    const unlocks = kept.length < stored.lockedSettings.length;
    const first = unlocks ? { ...patch, lockedSettings: kept } : patch;
    return {
      changes,
      ...(Object.keys(first).length > 0 ? { patch: first } : {}),
      ...(kept.length < lockedSettings.length ? { locks: { lockedSettings } } : {}),
    };
  }

  /** @throws the errors of `OrganizationsService.update` */
  async update(ctx: RequestContext, patch: UpdateOrganizationRequest): Promise<void> {
    await this.updates.update(ctx, patch);
  }

  /** Returns the organizations whose settings a change affects. @throws the errors of `SettingsExplainedService.preview` */
  async preview(ctx: RequestContext, { settings, lockedSettings }: UpdateOrganizationRequest): Promise<PreviewedOrganization[]> {
    if (!settings && !lockedSettings) return [];
    return this.explained.preview(ctx, { ...(settings ? { settings } : {}), ...(lockedSettings ? { lockedSettings } : {}) });
  }

  private async configured(ctx: RequestContext, organization: Organization): Promise<ConfiguredOrganization> {
    const { id, slug, parentId, name, description, type, branding, settingsOverrides, lockedSettings } = organization;
    const { defaultRole, ...settings } = settingsOverrides;
    const role = defaultRole === undefined ? undefined : await this.roleReference(ctx, organization, defaultRole);
    const fields = {
      name,
      description,
      type,
      branding,
      settings: role === undefined ? settings : { ...settings, defaultRole: role },
      lockedSettings: lockedSettings.toSorted(),
    };
    return { id, slug, parentId, fields };
  }

  /** Returns fields in the form in which `listTree` returns them. */
  private async normalized(ctx: RequestContext, fields: OrganizationFields): Promise<OrganizationFields> {
    const { lockedSettings, settings } = fields;
    const { defaultRole, allowedNetworks } = settings ?? {};
    const changed = {
      ...(defaultRole ? { defaultRole: await this.roleReference(ctx, organizationOf(ctx), defaultRole) } : {}),
      ...(allowedNetworks ? { allowedNetworks: allowedNetworks.map((text) => normalizedNetwork(text) ?? text) } : {}),
    };
    return {
      ...fields,
      ...(settings ? { settings: { ...settings, ...changed } } : {}),
      ...(lockedSettings ? { lockedSettings: lockedSettings.toSorted() } : {}),
    };
  }

  /** Returns the name of a role, or the id if the name finds another role. Returns what no role has as it is. */
  private async roleReference(
    ctx: RequestContext,
    organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
    reference: string,
  ): Promise<string> {
    const role = await this.roleLookup.find(ctx, organization, reference);
    if (!role || role.name === reference) return reference;
    const named = await this.roleLookup.find(ctx, organization, role.name);
    return named?.id === role.id ? role.name : role.id;
  }
}
