import { Injectable } from '@nestjs/common';
import { changesBetween, assertUnchanged, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { applyFields } from './organization-fields.js';
import type { Organization } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import type { UpdateOrganizationRequest } from './organization.requests.js';
import { organizationData } from './organization-data.js';
import { SettingsChangeService } from './settings-change.service.js';
import { SettingEffectsService } from './settings/setting-effects.service.js';
import { SsoSettingRulesService } from './settings/sso-setting-rules.service.js';
import type { OrganizationSettings } from './settings/settings.js';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationRepository,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly ssoSettingRules: SsoSettingRulesService,
    private readonly settingEffects: SettingEffectsService,
  ) {}

  /**
   * Updates the fields that the request contains.
   * @throws ResourceNotFound (404), and the errors of `SettingsChangeService.apply`, `SsoSettingRulesService.assertAllowed` and
   * `SettingEffectsService.authorizeChange`
   */
  async update(
    ctx: RequestContext,
    request: UpdateOrganizationRequest,
  ): Promise<{ organization: Organization; settings: OrganizationSettings }> {
    return this.work.run(ctx, async (ctx) => {
      const organization = await this.organizations.lock(ctx, organizationOf(ctx));
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', organizationOf(ctx).id);
      assertUnchanged(ctx, organization.version);
      const ancestorLayers = await this.effectiveSettings.ancestorLayers(ctx, organization);
      const settings = () => this.settingsChange.values(organization, ancestorLayers);
      const before = organizationData(organization, settings());
      const previous = { overrides: organization.settingsOverrides, locked: organization.lockedSettings };
      const overridesBefore = JSON.stringify(organization.settingsOverrides);
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, ancestorLayers);
      applyFields(organization, request);
      await this.ssoSettingRules.assertAllowed(ctx, organization, previous, ancestorLayers);
      const policy = await this.settingEffects.authorizeChange(ctx, organization, previous, ancestorLayers);
      const changes = changesBetween(before, organizationData(organization, settings()));
      const hasChanges = Object.keys(changes).length > 0;
      if (hasChanges || overridesBefore !== JSON.stringify(organization.settingsOverrides)) {
        organization.updatedAt = this.work.now();
        await this.organizations.save(ctx, organization, policy);
      }
      if (hasChanges) {
        const data = { ...organizationData(organization, settings()), changes };
        await this.work.publish(ctx, 'organization.updated', organization, data);
      }
      return { organization, settings: settings() };
    });
  }
}
