import { Module } from '@nestjs/common';
import { EventLogModule } from '#platform/event-log';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { RolesModule } from '#directory/roles';
import { SessionsModule } from '#directory/sessions';
import { FederatedUsers } from './federation/federated-users.service.js';
import { UserIdentityRepository } from './federation/user-identity.repository.js';
import { EmailChangeMail } from './email-change-mail.js';
import { Invitations } from './invitations.service.js';
import { SignInUsers } from './sign-in-users.service.js';
import { ImportBatch } from './transfer/import-batch.service.js';
import { ImportWriter } from './transfer/import-writer.service.js';
import { ImportedPasswords } from './transfer/imported-passwords.js';
import { ImportedRoles } from './transfer/imported-roles.service.js';
import { ImportedUsers } from './transfer/imported-users.repository.js';
import { UserExport } from './transfer/user-export.service.js';
import { UserImport } from './transfer/user-import.service.js';
import { UserTransferController } from './transfer/user-transfer.controller.js';
import { UserAccess } from './user-access.js';
import { UserChanges } from './user-changes.service.js';
import { UserSelfService } from './user-self-service.service.js';
import { UserActivation } from './user-activation.service.js';
import { UserFactors } from './user-factors.service.js';
import { UserDeletion } from './user-deletion.service.js';
import { UserPurge } from './user-purge.service.js';
import { UserLifecycle } from './user-lifecycle.service.js';
import { ShownUsers } from './shown-users.read.js';
import { UserQueries } from './user-queries.service.js';
import { UserRepository } from './user.repository.js';
import { UsersFollowOrganizations } from './users-follow-organizations.repository.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Users: profile, lifecycle, directory. */
@Module({
  imports: [EventLogModule, MembershipsModule, OrganizationsModule, RolesModule, SessionsModule],
  // The first has fixed words where the second has ids, and so is asked first.
  controllers: [UserTransferController, UsersController],
  providers: [
    EmailChangeMail,
    FederatedUsers,
    ImportBatch,
    ImportedPasswords,
    ImportedRoles,
    ImportedUsers,
    ImportWriter,
    Invitations,
    SignInUsers,
    UserAccess,
    UserActivation,
    UserChanges,
    UserDeletion,
    UserExport,
    UserFactors,
    UserIdentityRepository,
    UserImport,
    UserLifecycle,
    UserPurge,
    ShownUsers,
    UserQueries,
    UserRepository,
    UserSelfService,
    UsersFollowOrganizations,
    UsersService,
  ],
  exports: [
    FederatedUsers,
    ImportedPasswords,
    SignInUsers,
    UserAccess,
    UserActivation,
    UserFactors,
    UserQueries,
    UserSelfService,
  ],
})
export class UsersModule {}
