import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#identity/auth';
import { CredentialsModule } from '#identity/credentials';
import { HttpModule } from '#platform/http';
import { MembershipsModule } from '#directory/memberships';
import { MfaModule } from '#identity/mfa';
import { OrganizationsModule } from '#directory/organizations';
import { OutboundModule } from '#platform/outbound';
import { SessionsModule } from '#directory/sessions';
import { SignInModule } from '#identity/sign-in';
import { UsersModule } from '#directory/users';
import { FederatedAccountsService } from './accounts/federated-accounts.service.js';
import { OwnIdentitiesController } from './identities/own-identities.controller.js';
import { LinkedIdentitiesService } from './identities/linked-identities.service.js';
import { UserIdentitiesController } from './identities/user-identities.controller.js';
import { OidcCleanupService } from './oidc/oidc-cleanup.service.js';
import { OidcSignIn } from './oidc/oidc-sign-in.entity.js';
import { OidcSignInQuery } from './oidc/oidc-sign-in.query.js';
import { OidcSignInRepository } from './oidc/oidc-sign-in.repository.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { PendingOidcSignInsService } from './oidc/pending-oidc-sign-ins.service.js';
import { AssertedUsersService } from './assertions/asserted-users.service.js';
import { ProviderCheckController } from './provider/provider-check.controller.js';
import { ProviderClientsService } from './provider/provider-clients.service.js';
import { ProviderHttpService } from './provider/provider-http.service.js';

/** Sign-in with the identity providers of organizations. */
@Module({
  imports: [
    AuthModule,
    CredentialsModule,
    HttpModule,
    MembershipsModule,
    MfaModule,
    OrganizationsModule,
    OutboundModule,
    SessionsModule,
    SignInModule,
    TypeOrmModule.forFeature([OidcSignIn]),
    UsersModule,
  ],
  controllers: [OidcController, OwnIdentitiesController, ProviderCheckController, UserIdentitiesController],
  providers: [
    AssertedUsersService,
    FederatedAccountsService,
    OidcCleanupService,
    OidcSignInQuery,
    OidcSignInRepository,
    OidcSignInService,
    LinkedIdentitiesService,
    PendingOidcSignInsService,
    ProviderClientsService,
    ProviderHttpService,
  ],
  exports: [AssertedUsersService],
})
export class FederationModule {}
