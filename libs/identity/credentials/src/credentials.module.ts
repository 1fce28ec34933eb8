import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { AcceptInvitationController } from './invitations/accept-invitation.controller.js';
import { InvitationAcceptanceService } from './invitations/invitation-acceptance.service.js';
import { CommonPasswords } from './passwords/common-passwords.js';
import { ImportedPasswordKeeperRepository } from './passwords/imported-passwords.repository.js';
import { PasswordPoliciesService } from './passwords/password-policies.service.js';
import { PasswordRepository } from './passwords/password.repository.js';
import { PwnedPasswords } from './passwords/pwned-passwords.js';
import { PasswordsService } from './passwords/passwords.service.js';

/** Passwords, and the acceptance of invitations that sets the first one. */
@Module({
  imports: [OrganizationsModule, SessionsModule, UsersModule],
  controllers: [AcceptInvitationController],
  providers: [
    { provide: CommonPasswords, useFactory: () => new CommonPasswords() },
    ImportedPasswordKeeperRepository,
    InvitationAcceptanceService,
    PasswordPoliciesService,
    PasswordRepository,
    PasswordsService,
    PwnedPasswords,
  ],
  exports: [InvitationAcceptanceService, PasswordPoliciesService, PasswordsService],
})
export class CredentialsModule {}
