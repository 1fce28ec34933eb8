import { Module } from '@nestjs/common';
import { MembershipsModule } from '#memberships';
import { OrganizationsModule } from '#organizations';
import { RolesModule } from '#roles';
import { SessionsModule } from '#sessions';
import { EmailChangeMail } from './email-change-mail.js';
import { Invitations } from './invitations.service.js';
import { UserAccess } from './user-access.js';
import { UserActivation } from './user-activation.service.js';
import { UserDeletion } from './user-deletion.service.js';
import { UserPurge } from './user-purge.service.js';
import { UserLifecycle } from './user-lifecycle.service.js';
import { UserQueries } from './user-queries.service.js';
import { UserRepository } from './user.repository.js';
import { UsersFollowOrganizations } from './users-follow-organizations.repository.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Users: profile, lifecycle, directory. */
@Module({
  imports: [MembershipsModule, OrganizationsModule, RolesModule, SessionsModule],
  controllers: [UsersController],
  providers: [
    EmailChangeMail,
    Invitations,
    UserAccess,
    UserActivation,
    UserDeletion,
    UserLifecycle,
    UserPurge,
    UserQueries,
    UserRepository,
    UsersFollowOrganizations,
    UsersService,
  ],
  exports: [UserActivation],
})
export class UsersModule {}
