import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#identity/auth';
import { HttpModule } from '#platform/http';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { AccessTokensController } from './access-tokens/access-tokens.controller.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { KeySetController } from './access-tokens/key-set.controller.js';
import { ReservedAudiences } from './access-tokens/reserved-audiences.js';
import { SigningKey } from './access-tokens/signing-key.entity.js';
import { SigningKeyRepository } from './access-tokens/signing-key.repository.js';
import { SigningKeysService } from './access-tokens/signing-keys.service.js';
import { TokenSignerService } from './access-tokens/token-signer.service.js';
import { CurrentSessionController } from './account/current-session.controller.js';
import { MeController } from './account/me.controller.js';
import { MeService } from './account/me.service.js';
import { OwnOrganizationsQuery } from './account/own-organizations.query.js';
import { SessionAuthenticator } from './callers/session.authenticator.js';
import { SessionCallersService } from './callers/session-callers.service.js';
import { OwnSessionsController } from './sessions/own-sessions.controller.js';
import { OwnSessionsService } from './sessions/own-sessions.service.js';
import { SessionListingService } from './sessions/session-listing.service.js';
import { UserSessionsController } from './sessions/user-sessions.controller.js';
import { UserSessionsService } from './sessions/user-sessions.service.js';
import { SessionVerificationController } from './verification/session-verification.controller.js';
import { SessionVerificationService } from './verification/session-verification.service.js';
import { VisibleGuestsQuery } from './verification/visible-guests.query.js';

/** Sessions as credentials, their management and verification, and access tokens. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SigningKey]),
    AuthModule,
    HttpModule,
    MembershipsModule,
    OrganizationsModule,
    RolesModule,
    SessionsModule,
    UsersModule,
  ],
  controllers: [
    AccessTokensController,
    CurrentSessionController,
    KeySetController,
    MeController,
    OwnSessionsController,
    SessionVerificationController,
    UserSessionsController,
  ],
  providers: [
    AccessTokensService,
    MeService,
    OwnOrganizationsQuery,
    OwnSessionsService,
    ReservedAudiences,
    SessionAuthenticator,
    SessionCallersService,
    SessionListingService,
    SessionVerificationService,
    SigningKeyRepository,
    SigningKeysService,
    TokenSignerService,
    UserSessionsService,
    VisibleGuestsQuery,
  ],
  exports: [OwnSessionsService, ReservedAudiences, SessionCallersService, SigningKeysService],
})
export class SessionAccessModule {}
