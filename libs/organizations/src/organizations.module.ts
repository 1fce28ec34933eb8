import { Module } from '@nestjs/common';
import { EffectiveSettings } from './effective-settings.js';
import { OrganizationDirectory } from './organization-directory.read.js';
import { OrganizationLifecycle } from './organization-lifecycle.service.js';
import { RoleReferences } from './organization-ports.js';
import { OrganizationQueries } from './organization-queries.service.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationScopes } from './organization-scopes.read.js';
import { OrganizationSettingsChange } from './organization-settings-change.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

/** The tree of organizations and its settings. */
@Module({
  controllers: [OrganizationsController],
  providers: [
    EffectiveSettings,
    OrganizationDirectory,
    OrganizationLifecycle,
    OrganizationQueries,
    OrganizationRepository,
    OrganizationScopes,
    OrganizationSettingsChange,
    OrganizationsService,
    RoleReferences,
  ],
  exports: [EffectiveSettings, OrganizationScopes, RoleReferences],
})
export class OrganizationsModule {}
