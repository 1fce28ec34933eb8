import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { ScimActivationService } from './limits/scim-activation.service.js';
import { ScimLimitsService } from './limits/scim-limits.service.js';
import { ScimRemovalsQuery } from './limits/scim-removals.query.js';
import { ScimConnection } from './scim-connection.entity.js';
import { ScimConnectionRepository } from './scim-connection.repository.js';
import { ScimConnectionsConfigurationService } from './scim-connections-configuration.service.js';
import { ScimConnectionsController } from './scim-connections.controller.js';
import { ScimConnectionsService } from './scim-connections.service.js';
import { ScimDeletionQuery } from './scim-deletion.query.js';
import { ScimManagementService } from './scim-management.service.js';
import { ScimToken } from './scim-token.entity.js';
import { ScimTokenQuery } from './scim-token.query.js';
import { ScimTokenRepository } from './scim-token.repository.js';
import { ScimTokensController } from './scim-tokens.controller.js';
import { ScimTokensService } from './scim-tokens.service.js';
import { ScimUserNamesQuery } from './scim-user-names.query.js';
import './scim-notifications.query.js';

/** SCIM connections of organizations and their tokens. The protocol is in `identity/scim`. */
@Module({
  imports: [TypeOrmModule.forFeature([ScimConnection, ScimToken]), OrganizationsModule, SessionsModule],
  controllers: [ScimConnectionsController, ScimTokensController],
  providers: [
    ScimActivationService,
    ScimConnectionRepository,
    ScimLimitsService,
    ScimRemovalsQuery,
    ScimConnectionsConfigurationService,
    ScimConnectionsService,
    ScimDeletionQuery,
    ScimManagementService,
    ScimTokenQuery,
    ScimTokenRepository,
    ScimTokensService,
    ScimUserNamesQuery,
  ],
  exports: [ScimActivationService, ScimConnectionsService, ScimLimitsService, ScimManagementService, ScimTokensService],
})
export class ScimConnectionsModule {}
