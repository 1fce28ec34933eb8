import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '#directory/groups';
import { OrganizationsModule } from '#directory/organizations';
import { ScimConnectionsModule } from '#directory/scim-connections';
import { UsersModule } from '#directory/users';
import { AuthModule } from '#identity/auth';
import { CredentialsModule } from '#identity/credentials';
import { ScimAuthenticator } from './access/scim.authenticator.js';
import { ScimModeService } from './access/scim-mode.service.js';
import { ScimSearchLimitQuery } from './access/scim-search-limit.query.js';
import { ScimSearchLimitService } from './access/scim-search-limit.service.js';
import { ScimBulkService } from './bulk/scim-bulk.service.js';
import { ScimChangesService } from './changes/scim-changes.service.js';
import { ScimJobLoop } from './jobs/scim-job-loop.js';
import { ScimJobsService } from './jobs/scim-jobs.service.js';
import { ScimPreviewApplicationService } from './preview/scim-preview-application.service.js';
import { ScimPreviewGroup } from './preview/scim-preview-group.entity.js';
import { ScimPreviewGroupRepository } from './preview/scim-preview-group.repository.js';
import { ScimPreviewGroupsService } from './preview/scim-preview-groups.service.js';
import { ScimPreviewUser } from './preview/scim-preview-user.entity.js';
import { ScimPreviewUserRepository } from './preview/scim-preview-user.repository.js';
import { ScimPreviewUsersService } from './preview/scim-preview-users.service.js';
import { ScimPreviewController } from './preview/scim-preview.controller.js';
import { ScimPreviewQuery } from './preview/scim-preview.query.js';
import { ScimPreviewService } from './preview/scim-preview.service.js';
import { ScimGroupReadsService } from './groups/scim-group-reads.service.js';
import { ScimRemovalService } from './users/scim-removal.service.js';
import { ScimUserReadsService } from './users/scim-user-reads.service.js';
import { ScimSearchService } from './discovery/scim-search.service.js';
import { ScimServiceController } from './discovery/scim-service.controller.js';
import { ScimGroupsController } from './groups/scim-groups.controller.js';
import { ScimGroupsQuery } from './groups/scim-groups.query.js';
import { ScimGroupsService } from './groups/scim-groups.service.js';
import { ScimAdoptionService } from './users/scim-adoption.service.js';
import { ScimPersonalDataQuery } from './users/scim-personal-data.query.js';
import { ScimProvisioningService } from './users/scim-provisioning.service.js';
import { ScimUser } from './users/scim-user.entity.js';
import { ScimUserRepository } from './users/scim-user.repository.js';
import { ScimUsersController } from './users/scim-users.controller.js';
import { ScimUsersQuery } from './users/scim-users.query.js';
import { ScimUsersService } from './users/scim-users.service.js';

/** SCIM 2.0 (RFC 7643, 7644): the directories of customers provision users and groups. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ScimPreviewGroup, ScimPreviewUser, ScimUser]),
    AuthModule,
    CredentialsModule,
    GroupsModule,
    OrganizationsModule,
    ScimConnectionsModule,
    UsersModule,
  ],
  controllers: [ScimUsersController, ScimGroupsController, ScimServiceController, ScimPreviewController],
  providers: [
    ScimAdoptionService,
    ScimAuthenticator,
    ScimBulkService,
    ScimChangesService,
    ScimGroupReadsService,
    ScimJobLoop,
    ScimJobsService,
    ScimModeService,
    ScimPreviewApplicationService,
    ScimPreviewGroupRepository,
    ScimPreviewGroupsService,
    ScimPreviewQuery,
    ScimPreviewService,
    ScimPreviewUserRepository,
    ScimPreviewUsersService,
    ScimRemovalService,
    ScimUserReadsService,
    ScimGroupsQuery,
    ScimGroupsService,
    ScimPersonalDataQuery,
    ScimProvisioningService,
    ScimSearchLimitQuery,
    ScimSearchLimitService,
    ScimSearchService,
    ScimUserRepository,
    ScimUsersQuery,
    ScimUsersService,
  ],
})
export class ScimModule {}
