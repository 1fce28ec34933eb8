import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { ScimConnectionsModule } from '#directory/scim-connections';
import { ThreatsModule } from '#platform/threats';
import { AffectedGrantsQuery } from './affected-grants.query.js';
import { AuthzenController } from './authzen/authzen.controller.js';
import { AuthzenMetadataController } from './authzen/authzen-metadata.controller.js';
import { AuthzenService } from './authzen/authzen.service.js';
import { CountFoldingService } from './count-folding.service.js';
import { DescendantListQuery } from './descendant-list.query.js';
import { DirectoryCountsQuery } from './directory-counts.query.js';
import { DirectoryEntriesQuery } from './directory-entries.query.js';
import { DirectoryEntry } from './directory-entry.entity.js';
import { DirectoryEntryRepository } from './directory-entry.repository.js';
import { DirectoryListQuery } from './directory-list.query.js';
import { InheritedRolesQuery } from './inherited-roles.query.js';
import { UserRolesQuery } from './user-roles.query.js';
import { MemberAccessService } from './member-access.service.js';
import { MemberDirectoryService } from './member-directory.service.js';
import { MemberListService } from './member-list.service.js';
import { MemberMail } from './member-mail.js';
import { MemberRemovalHandlers } from './member-removal-handlers.js';
import { MemberRolesService } from './member-roles.service.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { MembershipChangesService } from './membership-changes.service.js';
import { Membership } from './membership.entity.js';
import { MembershipRepository } from './membership.repository.js';
import { DirectoryLifecycleQuery } from './directory-lifecycle.query.js';
import { OwnerAddressesQuery } from './owner-addresses.query.js';
import { OwnersQuery } from './owners.query.js';
import { OwnersService } from './owners.service.js';
import { PermissionChecksController } from './permission-checks.controller.js';
import { PermissionChecksService } from './permission-checks.service.js';
import { RoleAssignment } from './role-assignment.entity.js';
import { RoleAssignmentRepository } from './role-assignment.repository.js';
import { RoleAssignmentsController } from './role-assignments.controller.js';
import { RoleAssignmentsService } from './role-assignments.service.js';
import { MemberRoleUsageService } from './member-role-usage.service.js';
import { RoleReplacementQuery } from './role-replacement.query.js';
import { RoleUseQuery } from './role-use.query.js';
import { SelfGrantsService } from './self-grants.service.js';
import { UserDirectoryService } from './user-directory.service.js';
import { UserGrantsQuery } from './user-grants.query.js';
import { UserLookupQuery } from './user-lookup.query.js';
import { MemberPersonalDataQuery } from './member-personal-data.query.js';

/** Memberships, role assignments and the directories of organizations. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Membership, RoleAssignment, DirectoryEntry]),
    OrganizationsModule,
    RolesModule,
    ScimConnectionsModule,
    ThreatsModule,
  ],
  controllers: [
    AuthzenController,
    AuthzenMetadataController,
    MembersController,
    PermissionChecksController,
    RoleAssignmentsController,
  ],
  providers: [
    AffectedGrantsQuery,
    AuthzenService,
    MemberPersonalDataQuery,
    CountFoldingService,
    DescendantListQuery,
    DirectoryCountsQuery,
    DirectoryEntriesQuery,
    DirectoryEntryRepository,
    DirectoryListQuery,
    InheritedRolesQuery,
    UserRolesQuery,
    MemberAccessService,
    MemberDirectoryService,
    MemberListService,
    MemberMail,
    MemberRemovalHandlers,
    MemberRolesService,
    MembershipChangesService,
    MembershipRepository,
    MembersService,
    DirectoryLifecycleQuery,
    OwnerAddressesQuery,
    OwnersQuery,
    OwnersService,
    PermissionChecksService,
    RoleAssignmentRepository,
    RoleAssignmentsService,
    MemberRoleUsageService,
    RoleReplacementQuery,
    RoleUseQuery,
    SelfGrantsService,
    UserDirectoryService,
    UserGrantsQuery,
    UserLookupQuery,
  ],
  exports: [
    DescendantListQuery,
    DirectoryCountsQuery,
    DirectoryListQuery,
    MembershipChangesService,
    MemberListService,
    MemberRemovalHandlers,
    MembersService,
    MembershipRepository,
    OwnersService,
    RoleAssignmentsService,
    SelfGrantsService,
    UserDirectoryService,
    UserGrantsQuery,
  ],
})
export class MembershipsModule {}
