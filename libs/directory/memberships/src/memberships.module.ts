import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { ThreatsModule } from '#platform/threats';
import { CountFolding } from './count-folding.js';
import { DirectoryCounts } from './directory-counts.repository.js';
import { DirectoryList } from './directory-list.read.js';
import { MemberList } from './member-list.service.js';
import { MemberMail } from './member-mail.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { MembershipRepository } from './membership.repository.js';
import { MembershipReads } from './memberships.read.js';
import { DirectoryFollowsOrganizations } from './organization-following.repository.js';
import { OwnerAddressesRead } from './owner-addresses.read.js';
import { Owners } from './owners.repository.js';
import { PermissionChecksController } from './permission-checks.controller.js';
import { PermissionChecks } from './permission-checks.read.js';
import { RoleHolding } from './role-holding.repository.js';
import { PrivilegeCheckService } from './privilege-check.service.js';
import { RoleAssignmentsController } from './role-assignments.controller.js';
import { RoleAssignmentsService } from './role-assignments.service.js';
import { SelfGrants } from './self-grants.service.js';
import { UserDirectory } from './user-directory.service.js';
import { UserGrants } from './user-grants.read.js';
import { UserLookup } from './user-lookup.read.js';

/** Who belongs where, with which roles. */
@Module({
  imports: [OrganizationsModule, RolesModule, ThreatsModule],
  controllers: [MembersController, PermissionChecksController, RoleAssignmentsController],
  providers: [
    CountFolding,
    DirectoryCounts,
    DirectoryFollowsOrganizations,
    DirectoryList,
    MemberList,
    MemberMail,
    MembersService,
    MembershipReads,
    MembershipRepository,
    OwnerAddressesRead,
    Owners,
    PermissionChecks,
    PrivilegeCheckService,
    RoleAssignmentsService,
    RoleHolding,
    SelfGrants,
    UserDirectory,
    UserGrants,
    UserLookup,
  ],
  exports: [DirectoryList, MemberList, MembershipReads, Owners, PrivilegeCheckService, UserDirectory, UserGrants],
})
export class MembershipsModule {}
