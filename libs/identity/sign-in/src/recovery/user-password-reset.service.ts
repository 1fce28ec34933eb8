import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { SsoRequirementService, type User, UserAccessService } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';

/** The user is not active: 409. */
export class UserNotActive extends DomainError {
  readonly code = 'user_not_active';
  readonly kind = 'conflict';
  constructor({ id, status }: Pick<User, 'id' | 'status'>) {
    super(
      status === 'pending'
        ? `The user "${id}" is pending. A pending user sets the first password with an invitation, so resend the invitation instead.`
        : `The user "${id}" is ${status}, so the password can't be reset. Activate or restore the user first.`,
    );
  }
}

/** Sends password reset links for administrators, who neither choose nor receive passwords (OWASP ASVS 6.4.6). */
@Injectable()
export class UserPasswordResetService {
  constructor(
    private readonly userAccess: UserAccessService,
    private readonly accountMails: AccountMailsService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends the user a link that sets a new password. The current password works until the link is used.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn, SsoRequired (403), UserNotActive (409)
   */
  async start(ctx: RequestContext, userId: string): Promise<{ user: User; expiresAt: Date }> {
    return this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization } = await this.userAccess.lockForChange(ctx, userId);
      const signIn = await this.userAccess.assertCanChangeSignIn(ctx, user);
      if (user.status !== 'active') throw new UserNotActive(user);
      await this.ssoRequirement.assertNotRequired(ctx, { user, managingOrganization });
      const expiresAt = await this.accountMails.sendPasswordReset(ctx, managingOrganization, user, signIn);
      const data = {
        userId: user.id,
        email: user.email,
        requestedBy: 'administrator',
        expiresAt: expiresAt.toISOString(),
      } as const;
      await this.work.publish(ctx, 'user.password_reset_requested', managingOrganization, data, { userId: user.id });
      return { user, expiresAt };
    });
  }
}
