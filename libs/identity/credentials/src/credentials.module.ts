import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { AcceptInvitationController } from './invitations/accept-invitation.controller.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.service.js';
import { CommonPasswords } from './passwords/common-passwords.js';
import { ImportedPasswordKeeper } from './passwords/imported-passwords.repository.js';
import { PasswordPolicies } from './passwords/password-policies.service.js';
import { PasswordRepository } from './passwords/password.repository.js';
import { PwnedPasswords } from './passwords/pwned-passwords.js';
import { Passwords } from './passwords/passwords.service.js';

/** Passwords, and the acceptance of invitations that sets the first one. */
@Module({
  imports: [OrganizationsModule, SessionsModule, UsersModule],
  controllers: [AcceptInvitationController],
  providers: [
    { provide: CommonPasswords, useFactory: () => new CommonPasswords() },
    ImportedPasswordKeeper,
    InvitationAcceptance,
    PasswordPolicies,
    PasswordRepository,
    Passwords,
    PwnedPasswords,
  ],
  exports: [InvitationAcceptance, PasswordPolicies, Passwords],
})
export class CredentialsModule {}
