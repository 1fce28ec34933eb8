import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '#platform/event-log';
import { GroupsModule } from '#directory/groups';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { ScimConnectionsModule } from '#directory/scim-connections';
import { SessionsModule } from '#directory/sessions';
import { MembershipBatchController } from './batch/membership-batch.controller.js';
import { UserBatchController } from './batch/user-batch.controller.js';
import { AccountAccess } from './account-access.js';
import { UnconfirmedAccessService } from './unconfirmed-access.service.js';
import { FederatedUsersService } from './federation/federated-users.service.js';
import { UserIdentity } from './federation/user-identity.entity.js';
import { UserIdentityRepository } from './federation/user-identity.repository.js';
import { UserEmailChangesService } from './user-email-changes.service.js';
import { DeletedUsersQuery } from './deleted-users.query.js';
import { UserIdentifiersService } from './user-identifiers.service.js';
import { UserErasureService } from './user-erasure.service.js';
import { UserStatusService } from './user-status.service.js';
import { UserTracesService } from './user-traces.service.js';
import { UserUpdateService } from './user-update.service.js';
import { ImportPlanningService } from './transfer/import-planning.service.js';
import { InvitationsService } from './invitations.service.js';
import { SsoRequirementService } from './sso-requirement.service.js';
import { SignInUsersService } from './sign-in-users.service.js';
import { ForeignUsersService } from './transfer/foreign-users.service.js';
import { ImportAccessService } from './transfer/import-access.service.js';
import { ImportAccessWriterService } from './transfer/import-access-writer.service.js';
import { ImportBatchService } from './transfer/import-batch.service.js';
import { ImportWriterService } from './transfer/import-writer.service.js';
import { ImportedFactorsPort } from './transfer/imported-factors.js';
import { ImportedIdentitiesService } from './transfer/imported-identities.service.js';
import { ImportedMembershipsService } from './transfer/imported-memberships.service.js';
import { ImportedOrganizationsService } from './transfer/imported-organizations.service.js';
import { ImportedPasswords } from './transfer/imported-passwords.js';
import { ImportedRolesService } from './transfer/imported-roles.service.js';
import { ImportedUsersQuery } from './transfer/imported-users.query.js';
import { UserExportService } from './transfer/user-export.service.js';
import { UserImportService } from './transfer/user-import.service.js';
import { UserTransferController } from './transfer/user-transfer.controller.js';
import { UserAccessService } from './user-access.service.js';
import { UserAdoptionService } from './user-adoption.service.js';
import { UserChangesService } from './user-changes.service.js';
import { UserSelfService } from './user-self-service.service.js';
import { UserActivationService } from './user-activation.service.js';
import { UserFactorsService } from './user-factors.service.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserPurgeService } from './user-purge.service.js';
import { UserLifecycleService } from './user-lifecycle.service.js';
import { UserPurgeQuery } from './user-purge.query.js';
import { UsersQuery } from './users.query.js';
import { UserQueriesService } from './user-queries.service.js';
import { UserRepository } from './user.repository.js';
import { PurgedOrganizationsService } from './purged-organizations.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';
import { NewUserRolesService } from './new-user-roles.service.js';
import { User } from './user.entity.js';
import { UserPictureController } from './user-picture.controller.js';
import { UserPersonalDataQuery } from './user-personal-data.query.js';

/** Users: profiles, lifecycle, linked identities, imports and exports. */
@Module({
  imports: [
    TypeOrmModule.forFeature([User, UserIdentity]),
    EventLogModule,
    GroupsModule,
    MembershipsModule,
    OrganizationsModule,
    RolesModule,
    ScimConnectionsModule,
    SessionsModule,
  ],
  // UsersController is last, so that `users/import`, `users/export` and `users/batch` match before `users/:id`.
  controllers: [UserTransferController, UserBatchController, MembershipBatchController, UserPictureController, UsersController],
  providers: [
    AccountAccess,
    UnconfirmedAccessService,
    NewUserRolesService,
    UserPersonalDataQuery,
    ImportPlanningService,
    UserEmailChangesService,
    UserErasureService,
    UserStatusService,
    DeletedUsersQuery,
    UserIdentifiersService,
    UserTracesService,
    UserUpdateService,
    FederatedUsersService,
    ForeignUsersService,
    ImportAccessService,
    ImportAccessWriterService,
    ImportBatchService,
    ImportedFactorsPort,
    ImportedIdentitiesService,
    ImportedMembershipsService,
    ImportedOrganizationsService,
    ImportedPasswords,
    ImportedRolesService,
    ImportedUsersQuery,
    ImportWriterService,
    InvitationsService,
    PurgedOrganizationsService,
    SignInUsersService,
    SsoRequirementService,
    UserAccessService,
    UserActivationService,
    UserAdoptionService,
    UserChangesService,
    UserDeletionService,
    UserExportService,
    UserFactorsService,
    UserIdentityRepository,
    UserImportService,
    UserLifecycleService,
    UserPurgeQuery,
    UserPurgeService,
    UserQueriesService,
    UserRepository,
    UserSelfService,
    UsersQuery,
    UsersService,
  ],
  exports: [
    AccountAccess,
    UnconfirmedAccessService,
    FederatedUsersService,
    ImportedFactorsPort,
    ImportedPasswords,
    SignInUsersService,
    SsoRequirementService,
    UserAccessService,
    UserActivationService,
    UserAdoptionService,
    UserDeletionService,
    UserFactorsService,
    UserLifecycleService,
    UserQueriesService,
    UserSelfService,
    UsersService,
    UserUpdateService,
  ],
})
export class UsersModule {}
