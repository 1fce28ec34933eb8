import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#identity/auth';
import { SetupLinksModule } from '#identity/setup-links';
import { FederationModule } from '#identity/federation';
import { SessionAccessModule } from '#identity/session-access';
import { HttpModule } from '#platform/http';
import { OutboundModule } from '#platform/outbound';
import { ThreatsModule } from '#platform/threats';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { PrivilegesModule } from '#directory/privileges';
import { RolesModule } from '#directory/roles';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { ApplicationApproval } from './approval/application-approval.entity.js';
import { ApplicationApprovalRepository } from './approval/application-approval.repository.js';
import { ApplicationApprovalsController } from './approval/application-approvals.controller.js';
import { ApplicationApprovalsService } from './approval/application-approvals.service.js';
import { ApplicationRulesService } from './approval/application-rules.service.js';
import { ApprovalMailsService } from './approval/approval-mails.service.js';
import { ApprovalPersonalDataQuery } from './approval/approval-personal-data.query.js';
import { ApprovalRequest } from './approval/approval-request.entity.js';
import { ApprovalRequestQuery } from './approval/approval-request.query.js';
import { JwtBearerService } from './assertions/jwt-bearer.service.js';
import { ApplicationLogoController } from './clients/application-logo.controller.js';
import { ClientAccessService } from './clients/client-access.service.js';
import { InheritedClientsQuery } from './clients/inherited-clients.query.js';
import { ClientOwnerCheckService } from './clients/client-owner-check.service.js';
import { ClientOwnerQuery } from './clients/client-owner.query.js';
import { ClientPowerService } from './clients/client-power.service.js';
import { ClientUsageService } from './clients/client-usage.service.js';
import { OAuthClient } from './clients/oauth-client.entity.js';
import { OAuthClientQuery } from './clients/oauth-client.query.js';
import { OAuthClientRepository } from './clients/oauth-client.repository.js';
import { OAuthClientSecret } from './clients/oauth-client-secret.entity.js';
import { OAuthClientSecretRepository } from './clients/oauth-client-secret.repository.js';
import { OAuthClientsConfigurationService } from './clients/oauth-clients-configuration.service.js';
import { OAuthClientsController } from './clients/oauth-clients.controller.js';
import { OAuthClientsService } from './clients/oauth-clients.service.js';
import { PlatformClientsController } from './clients/platform-clients.controller.js';
import { DeviceAnswersService } from './devices/device-answers.service.js';
import { DeviceRequestQuery } from './devices/device-request.query.js';
import { DeviceRequestsController } from './devices/device-requests.controller.js';
import { DeviceRequestsService } from './devices/device-requests.service.js';
import { TokenExchangeService } from './exchange/token-exchange.service.js';
import { GrantPersonalDataQuery } from './grants/grant-personal-data.query.js';
import { GrantListsService } from './grants/grant-lists.service.js';
import { OAuthGrant } from './grants/oauth-grant.entity.js';
import { OAuthGrantQuery } from './grants/oauth-grant.query.js';
import { OAuthGrantRepository } from './grants/oauth-grant.repository.js';
import { OAuthGrantsController } from './grants/oauth-grants.controller.js';
import { OwnGrantsController } from './grants/own-grants.controller.js';
import { OAuthGrantsService } from './grants/oauth-grants.service.js';
import { InteractionPagesService } from './interactions/interaction-pages.service.js';
import { InteractionStoreService } from './interactions/interaction-store.service.js';
import { InteractionsController } from './interactions/interactions.controller.js';
import { InteractionsService } from './interactions/interactions.service.js';
import { RequestDestinationsService } from './interactions/request-destinations.service.js';
import { OrganizationChoiceService } from './interactions/organization-choice.service.js';
import { BrowserEndpointsService } from './provider/browser-endpoints.service.js';
import { GuardedFetchService } from './provider/guarded-fetch.service.js';
import { DirectResponsesService } from './provider/direct-responses.service.js';
import { LibraryHandlerService } from './provider/library-handler.service.js';
import { LibraryCallbacksService } from './provider/library-callbacks.service.js';
import { OAuthAdapterService } from './provider/oauth-adapter.service.js';
import { OAuthEndpointsService } from './provider/oauth-endpoints.service.js';
import { OAuthPagesService } from './provider/oauth-pages.service.js';
import { OAuthProviderService } from './provider/oauth-provider.service.js';
import { OAuthRequestsService } from './provider/oauth-requests.service.js';
import { ResourceServersService } from './provider/resource-servers.service.js';
import { PurgedOrganizationsService } from './purged-organizations.service.js';
import { AllowedRegistrationsQuery } from './registration/allowed-registrations.query.js';
import { RegistrationEndpointsService } from './registration/registration-endpoints.service.js';
import { SealedRegistrationsService } from './registration/sealed-registrations.service.js';
import { SelfDescribedClientsService } from './registration/self-described-clients.service.js';
import { DescribedResourcesService } from './resources/described-resources.service.js';
import { OAuthResource } from './resources/oauth-resource.entity.js';
import { OAuthResourceQuery } from './resources/oauth-resource.query.js';
import { OAuthResourceRepository } from './resources/oauth-resource.repository.js';
import { OAuthResourcesConfigurationService } from './resources/oauth-resources-configuration.service.js';
import { OAuthResourcesController } from './resources/oauth-resources.controller.js';
import { OAuthResourcesService } from './resources/oauth-resources.service.js';
import { PlatformResourcesController } from './resources/platform-resources.controller.js';
import { ResourceScopesService } from './resources/resource-scopes.service.js';
import { OAuthSessionsService } from './sessions/oauth-sessions.service.js';
import { OAuthSessionQuery } from './sessions/oauth-session.query.js';
import { AccessTokensService } from './tokens/access-tokens.service.js';
import { ArtifactCleanupService } from './tokens/artifact-cleanup.service.js';
import { ClaimsService } from './tokens/claims.service.js';
import { DpopProofsService } from './tokens/dpop-proofs.service.js';
import { ExpiredArtifactQuery, OAuthArtifactQuery } from './tokens/oauth-artifact.query.js';
import { OAuthTokenAuthenticator } from './tokens/oauth-token.authenticator.js';
import { OfflineAccessQuery } from './tokens/offline-access.query.js';
import { StandingService } from './tokens/standing.service.js';
import { UserClaimsQuery } from './tokens/user-claims.query.js';
import './clients/client-notifications.query.js';
import './approval/approval-notifications.query.js';

/** OAuth 2.1 and OpenID Connect: clients, resources, grants, and the endpoints of the protocol. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ApplicationApproval, ApprovalRequest, OAuthClient, OAuthClientSecret, OAuthGrant, OAuthResource]),
    AuthModule,
    FederationModule,
    HttpModule,
    MembershipsModule,
    OutboundModule,
    OrganizationsModule,
    PrivilegesModule,
    RolesModule,
    SessionAccessModule,
    SessionsModule,
    SetupLinksModule,
    ThreatsModule,
    UsersModule,
  ],
  controllers: [
    ApplicationApprovalsController,
    ApplicationLogoController,
    OAuthClientsController,
    PlatformClientsController,
    OAuthResourcesController,
    PlatformResourcesController,
    InteractionsController,
    DeviceRequestsController,
    OAuthGrantsController,
    OwnGrantsController,
  ],
  providers: [
    AccessTokensService,
    AllowedRegistrationsQuery,
    ApplicationApprovalRepository,
    ApplicationApprovalsService,
    ApplicationRulesService,
    ApprovalMailsService,
    ApprovalPersonalDataQuery,
    ApprovalRequestQuery,
    ArtifactCleanupService,
    BrowserEndpointsService,
    ClaimsService,
    ClientAccessService,
    InheritedClientsQuery,
    ClientOwnerCheckService,
    ClientOwnerQuery,
    ClientPowerService,
    ClientUsageService,
    RegistrationEndpointsService,
    SealedRegistrationsService,
    SelfDescribedClientsService,
    DescribedResourcesService,
    DeviceAnswersService,
    DeviceRequestQuery,
    DeviceRequestsService,
    DirectResponsesService,
    DpopProofsService,
    ExpiredArtifactQuery,
    GuardedFetchService,
    GrantListsService,
    GrantPersonalDataQuery,
    InteractionPagesService,
    InteractionStoreService,
    InteractionsService,
    JwtBearerService,
    LibraryCallbacksService,
    LibraryHandlerService,
    OAuthAdapterService,
    OAuthArtifactQuery,
    OAuthClientQuery,
    OAuthClientRepository,
    OAuthClientSecretRepository,
    OAuthClientsConfigurationService,
    OAuthClientsService,
    OAuthEndpointsService,
    OAuthGrantQuery,
    OAuthGrantRepository,
    OAuthGrantsService,
    OAuthPagesService,
    OAuthProviderService,
    OAuthRequestsService,
    OAuthResourceQuery,
    OAuthResourceRepository,
    OAuthResourcesConfigurationService,
    OAuthResourcesService,
    OAuthSessionsService,
    OAuthSessionQuery,
    OAuthTokenAuthenticator,
    OfflineAccessQuery,
    OrganizationChoiceService,
    PurgedOrganizationsService,
    RequestDestinationsService,
    ResourceScopesService,
    ResourceServersService,
    StandingService,
    TokenExchangeService,
    UserClaimsQuery,
  ],
  exports: [OAuthClientQuery, OAuthClientsService, OAuthEndpointsService],
})
export class OAuthModule {}
