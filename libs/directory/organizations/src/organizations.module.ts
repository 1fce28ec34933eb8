import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '#platform/outbound';
import { LogoController } from './branding/logo.controller.js';
import { LogoDownload } from './branding/logo-download.js';
import { LogosService } from './branding/logos.service.js';
import { OrganizationDeletionController } from './deletion/organization-deletion.controller.js';
import { OrganizationDeletionQuery } from './deletion/organization-deletion.query.js';
import { DefaultRolesQuery } from './default-roles.query.js';
import { DefaultRolesService } from './default-roles.service.js';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { IdentityProviderRepository } from './identity-providers/identity-provider.repository.js';
import { IdentityProvidersController } from './identity-providers/identity-providers.controller.js';
import { IdentityProvidersService } from './identity-providers/identity-providers.service.js';
import { DomainVerification } from './identity-providers/domain-verification.js';
import { IssuerCheck } from './identity-providers/issuer-check.js';
import { ProviderTrustService } from './identity-providers/provider-trust.service.js';
import { SsoProviderRulesService } from './identity-providers/sso-provider-rules.service.js';
import { SsoProvidersQuery } from './identity-providers/sso-providers.query.js';
import { SignInProvidersService } from './identity-providers/sign-in-providers.service.js';
import { OrganizationDirectoryQuery } from './organization-directory.query.js';
import { OrganizationCreationRulesService } from './organization-creation-rules.service.js';
import { OrganizationCreationService } from './organization-creation.service.js';
import { OrganizationHandlesQuery } from './organization-handles.query.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { OrganizationLifecycleService } from './organization-lifecycle.service.js';
import { OrganizationLifecycleHandlers, OwnerAddresses, RoleLookup } from './organization-ports.js';
import { OrganizationPurgeService } from './organization-purge.service.js';
import { OrganizationRestoreService } from './organization-restore.service.js';
import { OrganizationQueriesService } from './organization-queries.service.js';
import { OrganizationRepository } from './organization.repository.js';
import { MailDefaultsService } from './mail-defaults.service.js';
import { OrganizationScopeQuery } from './organization-scope.query.js';
import { AsOfService } from './as-of/as-of.service.js';
import { HistoryCleanupService } from './as-of/history-cleanup.service.js';
import { SettingsChangeService } from './settings-change.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { SessionRequirementsQuery } from './session-requirements.query.js';
import { SettingsExplainedService } from './settings/settings-explained.service.js';
import { SettingsLayersQuery } from './settings/settings-layers.query.js';
import { SettingsPreviewQuery } from './settings/settings-preview.query.js';
import { SettingEffectsService } from './settings/setting-effects.service.js';
import { SsoSettingRulesService } from './settings/sso-setting-rules.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { MovePlanService } from './moving/move-plan.service.js';
import { MoveProviderRulesService } from './moving/move-provider-rules.service.js';
import { MoveRulesService } from './moving/move-rules.service.js';
import { OrganizationInheritance } from './moving/organization-inheritance.js';
import { OrganizationMoveQuery } from './moving/organization-move.query.js';
import { OrganizationMoveService } from './moving/organization-move.service.js';
import { OrganizationMoveController } from './moving/organization-move.controller.js';
import { IdentityProvidersConfigurationService } from './configuration/identity-providers-configuration.service.js';
import { OrganizationsConfigurationService } from './configuration/organizations-configuration.service.js';
import { Organization } from './organization.entity.js';
import { IdentityProvider } from './identity-providers/identity-provider.entity.js';

/** Organizations, their settings, identity providers and logos. */
@Module({
  imports: [TypeOrmModule.forFeature([Organization, IdentityProvider]), OutboundModule],
  controllers: [
    IdentityProvidersController,
    LogoController,
    OrganizationDeletionController,
    OrganizationMoveController,
    OrganizationsController,
    SettingsController,
  ],
  providers: [
    AsOfService,
    DomainVerification,
    HistoryCleanupService,
    DefaultRolesQuery,
    DefaultRolesService,
    OrganizationLifecycleHandlers,
    OrganizationPurgeService,
    OrganizationRestoreService,
    EffectiveSettingsService,
    IdentityProviderRepository,
    IdentityProvidersConfigurationService,
    IdentityProvidersService,
    IssuerCheck,
    LogoDownload,
    LogosService,
    MailDefaultsService,
    MovePlanService,
    MoveProviderRulesService,
    MoveRulesService,
    OrganizationCreationRulesService,
    OrganizationCreationService,
    OrganizationDeletionQuery,
    OrganizationDirectoryQuery,
    OrganizationHandlesQuery,
    OrganizationInheritance,
    OrganizationLifecycleService,
    OrganizationMoveQuery,
    OrganizationMoveService,
    OrganizationQueriesService,
    OrganizationRepository,
    OrganizationScopeQuery,
    SettingsChangeService,
    OrganizationTreeQuery,
    OrganizationsConfigurationService,
    OrganizationsService,
    OwnerAddresses,
    ProviderTrustService,
    RoleLookup,
    SessionRequirementsQuery,
    SettingsExplainedService,
    SettingsLayersQuery,
    SettingsPreviewQuery,
    SignInProvidersService,
    SsoProviderRulesService,
    SsoProvidersQuery,
    SettingEffectsService,
    SsoSettingRulesService,
  ],
  exports: [
    AsOfService,
    DefaultRolesService,
    DomainVerification,
    EffectiveSettingsService,
    LogosService,
    MailDefaultsService,
    OrganizationCreationService,
    OrganizationInheritance,
    OrganizationLifecycleHandlers,
    OrganizationPurgeService,
    OrganizationScopeQuery,
    OrganizationsConfigurationService,
    OwnerAddresses,
    RoleLookup,
    SessionRequirementsQuery,
    SignInProvidersService,
  ],
})
export class OrganizationsModule {}
