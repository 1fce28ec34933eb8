import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembershipsModule } from '#directory/memberships';
import { OutboundModule } from '#platform/outbound';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { AcceptInvitationController } from './invitations/accept-invitation.controller.js';
import { InvitationAcceptanceService } from './invitations/invitation-acceptance.service.js';
import { CommonPasswords } from './passwords/common-passwords.js';
import { PasswordHistoryQuery } from './passwords/password-history.query.js';
import { PasswordPoliciesService } from './passwords/password-policies.service.js';
import { PasswordRepository } from './passwords/password.repository.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { UserCredential } from './passwords/user-credential.entity.js';
import { PasswordPersonalDataQuery } from './passwords/password-personal-data.query.js';
import { PasswordMigration } from './previous-system/password-migration.entity.js';
import { PasswordMigrationRepository } from './previous-system/password-migration.repository.js';
import { PasswordMigrationsController } from './previous-system/password-migrations.controller.js';
import { PasswordMigrationsService } from './previous-system/password-migrations.service.js';
import { PreviousPasswordsService } from './previous-system/previous-passwords.service.js';
import { PreviousSystemClient } from './previous-system/previous-system-client.service.js';

/** Passwords, also those that a previous system confirms, and invitations, whose acceptance sets the first password. */
@Module({
  imports: [
    MembershipsModule,
    OrganizationsModule,
    OutboundModule,
    SessionsModule,
    TypeOrmModule.forFeature([PasswordMigration, UserCredential]),
    UsersModule,
  ],
  controllers: [AcceptInvitationController, PasswordMigrationsController],
  providers: [
    PasswordPersonalDataQuery,
    { provide: CommonPasswords, useFactory: () => new CommonPasswords() },
    InvitationAcceptanceService,
    PasswordHistoryQuery,
    PasswordMigrationRepository,
    PasswordMigrationsService,
    PreviousPasswordsService,
    PreviousSystemClient,
    PasswordPoliciesService,
    PasswordRepository,
    PasswordsService,
  ],
  exports: [InvitationAcceptanceService, PasswordPoliciesService, PasswordsService, PreviousPasswordsService],
})
export class CredentialsModule {}
