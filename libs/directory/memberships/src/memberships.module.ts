import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { ThreatsModule } from '#platform/threats';
import { CountFolding } from './count-folding.js';
import { DirectoryCountsRepository } from './directory-counts.repository.js';
import { DirectoryList } from './directory-list.read.js';
import { MemberListService } from './member-list.service.js';
import { MemberMail } from './member-mail.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { MembershipRepository } from './membership.repository.js';
import { MembershipReads } from './memberships.read.js';
import { DirectoryFollowsOrganizationsRepository } from './organization-following.repository.js';
import { OwnerAddressesRead } from './owner-addresses.read.js';
import { OwnersRepository } from './owners.repository.js';
import { PermissionChecksController } from './permission-checks.controller.js';
import { PermissionChecks } from './permission-checks.read.js';
import { RoleHoldingRepository } from './role-holding.repository.js';
import { PrivilegeCheckService } from './privilege-check.service.js';
import { RoleAssignmentsController } from './role-assignments.controller.js';
import { RoleAssignmentsService } from './role-assignments.service.js';
import { SelfGrantsService } from './self-grants.service.js';
import { UserDirectoryService } from './user-directory.service.js';
import { UserGrants } from './user-grants.read.js';
import { UserLookup } from './user-lookup.read.js';
import { Membership } from './membership.entity.js';
import { RoleAssignment } from './role-assignment.entity.js';
import { DirectoryEntry } from './directory-entry.entity.js';

/** Who belongs where, with which roles. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Membership, RoleAssignment, DirectoryEntry]),
    OrganizationsModule,
    RolesModule,
    ThreatsModule,
  ],
  controllers: [MembersController, PermissionChecksController, RoleAssignmentsController],
  providers: [
    CountFolding,
    DirectoryCountsRepository,
    DirectoryFollowsOrganizationsRepository,
    DirectoryList,
    MemberListService,
    MemberMail,
    MembersService,
    MembershipReads,
    MembershipRepository,
    OwnerAddressesRead,
    OwnersRepository,
    PermissionChecks,
    PrivilegeCheckService,
    RoleAssignmentsService,
    RoleHoldingRepository,
    SelfGrantsService,
    UserDirectoryService,
    UserGrants,
    UserLookup,
  ],
  exports: [
    DirectoryList,
    MemberListService,
    MembershipReads,
    OwnersRepository,
    PrivilegeCheckService,
    UserDirectoryService,
    UserGrants,
  ],
})
export class MembershipsModule {}
