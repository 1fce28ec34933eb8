import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type User, UserAccess } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';

/** A reset for somebody who can't sign in whatever the password: 409. */
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

/** New passwords that administrators have people choose; administrators never choose or see one (OWASP ASVS 6.4.6). */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly access: UserAccess,
    private readonly mails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends the user the link that sets a new password; the present one works on until then.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403), UserNotActive (409)
   */
  async start(ctx: RequestContext, userId: string): Promise<{ user: User; expiresAt: Date }> {
    return this.work.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForChange(ctx, userId);
      await this.access.assertCanChangeSignIn(ctx, user);
      if (user.status !== 'active') throw new UserNotActive(user);
      const expiresAt = await this.mails.sendPasswordReset(ctx, home, user);
      const data = {
        userId: user.id,
        email: user.email,
        requestedBy: 'administrator',
        expiresAt: expiresAt.toISOString(),
      } as const;
      await this.work.publish(ctx, 'user.password_reset_requested', home, data, { userId: user.id });
      return { user, expiresAt };
    });
  }
}
