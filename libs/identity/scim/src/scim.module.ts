import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '#directory/groups';
import { OrganizationsModule } from '#directory/organizations';
import { ScimConnectionsModule } from '#directory/scim-connections';
import { UsersModule } from '#directory/users';
import { AuthModule } from '#identity/auth';
import { ScimAuthenticator } from './access/scim.authenticator.js';
import { ScimBulkService } from './bulk/scim-bulk.service.js';
import { ScimSearchService } from './discovery/scim-search.service.js';
import { ScimServiceController } from './discovery/scim-service.controller.js';
import { ScimGroupsController } from './groups/scim-groups.controller.js';
import { ScimGroupsQuery } from './groups/scim-groups.query.js';
import { ScimGroupsService } from './groups/scim-groups.service.js';
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
    TypeOrmModule.forFeature([ScimUser]),
    AuthModule,
    GroupsModule,
    OrganizationsModule,
    ScimConnectionsModule,
    UsersModule,
  ],
  controllers: [ScimUsersController, ScimGroupsController, ScimServiceController],
  providers: [
    ScimAuthenticator,
    ScimBulkService,
    ScimGroupsQuery,
    ScimGroupsService,
    ScimPersonalDataQuery,
    ScimProvisioningService,
    ScimSearchService,
    ScimUserRepository,
    ScimUsersQuery,
    ScimUsersService,
  ],
})
export class ScimModule {}
