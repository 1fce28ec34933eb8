import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { DefaultRolesQuery } from './default-roles.query.js';
import { SettingsChangeService } from './settings-change.service.js';
import { OrganizationRepository } from './organization.repository.js';
import { organizationData } from './organization.responses.js';

/** Which organizations name a role as their default: for the roles lib, before it lets one go. */
@Injectable()
export class DefaultRolesService {
  constructor(
    private readonly defaultRoles: DefaultRolesQuery,
    private readonly organizations: OrganizationRepository,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly work: UnitOfWork,
  ) {}

  isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    return this.defaultRoles.isUsed(ctx, tenantId, roleId);
  }

  /** Names another role wherever this one was the default; each organization whose settings change by that tells so. */
  async replace(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    for (const organization of await this.defaultRoles.lockOrganizations(ctx, tenantId, fromRoleId)) {
      const above = await this.effectiveSettings.ancestorLayers(ctx, organization);
      const shown = () => organizationData(organization, this.settingsChange.values(organization, above));
      const before = shown();
      organization.settingsOverrides = { ...organization.settingsOverrides, defaultRole: toRoleId };
      organization.updatedAt = this.work.now();
      await this.organizations.save(ctx, organization);
      const changes = changesBetween(before, shown());
      // A deleted organization is changed, too, so that it can come back; nobody sees it until then.
      if (organization.deletedAt || Object.keys(changes).length === 0) continue;
      await this.work.publish(ctx, 'organization.updated', organization, { ...shown(), changes });
    }
  }
}
