import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { DefaultRolesQuery } from './default-roles.query.js';
import { SettingsChangeService } from './settings-change.service.js';
import { OrganizationRepository } from './organization.repository.js';
import { organizationData } from './organization-data.js';

/** Replaces a role in the setting `defaultRole` of organizations before the deletion of the role. */
@Injectable()
export class DefaultRolesService {
  constructor(
    private readonly defaultRoles: DefaultRolesQuery,
    private readonly organizations: OrganizationRepository,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly work: UnitOfWork,
  ) {}

  /** Replaces a default role. Publishes `organization.updated` for each organization whose effective settings change. */
  async replace(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    for (const organization of await this.defaultRoles.lockOrganizations(ctx, tenantId, fromRoleId)) {
      const ancestorLayers = await this.effectiveSettings.ancestorLayers(ctx, organization);
      const data = () => organizationData(organization, this.settingsChange.values(organization, ancestorLayers));
      const before = data();
      organization.settingsOverrides = { ...organization.settingsOverrides, defaultRole: toRoleId };
      organization.updatedAt = this.work.now();
      await this.organizations.save(ctx, organization, unneeded<'policy'>('default_role_replaced'));
      const changes = changesBetween(before, data());
      // Deleted organizations can be restored, so the role is replaced, but no event is published.
      if (organization.deletedAt || Object.keys(changes).length === 0) continue;
      await this.work.publish(ctx, 'organization.updated', organization, { ...data(), changes });
    }
  }
}
