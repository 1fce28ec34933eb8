import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { HttpModule } from '#platform/http';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { AccessGuard } from './access/access.guard.js';
import { CredentialAuthenticators } from './access/credential-authenticator.js';
import { RequestAuthenticationService } from './access/request-authentication.service.js';
import { SessionAcceptanceService } from './access/session-acceptance.service.js';
import { ApiKeyAuthenticator } from './api-keys/api-key.authenticator.js';
import { ApiKeyQuery } from './api-keys/api-key.query.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ApiKeyOwnerCheckService } from './api-keys/api-key-owner-check.service.js';
import { ApiKeyLookupService } from './api-keys/api-key-lookup.service.js';
import { ApiKeyUsageService } from './api-keys/api-key-usage.service.js';
import { InheritedApiKeysQuery } from './api-keys/inherited-api-keys.query.js';
import { PermissionUseGuard } from './api-keys/permission-use.guard.js';
import { PlatformKeysService } from './api-keys/platform-keys.service.js';
import { ValidApiKeysQuery } from './api-keys/valid-api-keys.query.js';
import { ClientAddressGuard } from './client-address/client-address.guard.js';
import { ForwardedSignIns } from './client-address/forwarded-sign-ins.js';
import { InstallationQuery } from './operators/installation.query.js';
import { OperatorLink } from './operators/operator-link.entity.js';
import { OperatorLinkRepository } from './operators/operator-link.repository.js';
import { OperatorsService } from './operators/operators.service.js';
import { OperatorSessionAuthenticator } from './operators/operator-session.authenticator.js';
import { OperatorSessionQuery } from './operators/operator-session.query.js';
import { OperatorSessionRepository } from './operators/operator-session.repository.js';
import { OperatorsController } from './operators/operators.controller.js';
import { StoredOperatorSession } from './operators/stored-operator-session.entity.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimitService } from './rate-limit/rate-limit.service.js';
import { ApiKey } from './api-keys/api-key.entity.js';
import { ApiKeyPersonalDataQuery } from './api-keys/api-key-personal-data.query.js';
import './api-keys/api-key-notifications.query.js';

/** API keys, operators, rate limits, and the access guard of all routes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey, OperatorLink, StoredOperatorSession]),
    HttpModule,
    MembershipsModule,
    OrganizationsModule,
    SessionsModule,
    UsersModule,
    DiscoveryModule,
  ],
  controllers: [ApiKeysController, OperatorsController],
  providers: [
    ApiKeyPersonalDataQuery,
    ApiKeyQuery,
    ApiKeyRepository,
    ApiKeysService,
    ApiKeyAuthenticator,
    ApiKeyOwnerCheckService,
    ApiKeyLookupService,
    ApiKeyUsageService,
    InheritedApiKeysQuery,
    PlatformKeysService,
    ValidApiKeysQuery,
    InstallationQuery,
    OperatorLinkRepository,
    OperatorsService,
    OperatorSessionAuthenticator,
    OperatorSessionQuery,
    OperatorSessionRepository,
    CredentialAuthenticators,
    RequestAuthenticationService,
    SessionAcceptanceService,
    RateLimitService,
    ForwardedSignIns,
    // The access guard runs first, because the others need the caller; rate limits need the address of the end user; the last guard records only accepted requests.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: ClientAddressGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: PermissionUseGuard },
  ],
  exports: [
    CredentialAuthenticators,
    ForwardedSignIns,
    OperatorsService,
    PlatformKeysService,
    RateLimitService,
    SessionAcceptanceService,
    ValidApiKeysQuery,
  ],
})
export class AuthModule {}
