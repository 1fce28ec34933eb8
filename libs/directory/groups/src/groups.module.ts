import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { ScimConnectionsModule } from '#directory/scim-connections';
import { GroupAccessService } from './group-access.service.js';
import { GroupMember } from './group-member.entity.js';
import { GroupMemberRepository } from './group-member.repository.js';
import { GroupMembersController } from './group-members.controller.js';
import { GroupMembersQuery } from './group-members.query.js';
import { GroupMembersService } from './group-members.service.js';
import { GroupPersonalDataQuery } from './group-personal-data.query.js';
import { GroupRoleAssignment } from './group-role-assignment.entity.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { GroupRoleReplacementQuery } from './group-role-replacement.query.js';
import { GroupRolesController } from './group-roles.controller.js';
import { GroupRolesService } from './group-roles.service.js';
import { Group } from './group.entity.js';
import { GroupQuery } from './group.query.js';
import { GroupRepository } from './group.repository.js';
import { GroupsConfigurationService } from './groups-configuration.service.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { UserGroupsController } from './user-groups.controller.js';

/** Groups of organizations, their members and their roles. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Group, GroupMember, GroupRoleAssignment]),
    OrganizationsModule,
    RolesModule,
    ScimConnectionsModule,
    MembershipsModule,
  ],
  controllers: [GroupsController, GroupMembersController, GroupRolesController, UserGroupsController],
  providers: [
    GroupAccessService,
    GroupMemberRepository,
    GroupMembersQuery,
    GroupMembersService,
    GroupPersonalDataQuery,
    GroupQuery,
    GroupRepository,
    GroupRoleAssignmentRepository,
    GroupRoleReplacementQuery,
    GroupRolesService,
    GroupsConfigurationService,
    GroupsService,
  ],
  exports: [GroupMembersService, GroupRolesService, GroupsService],
})
export class GroupsModule {}
