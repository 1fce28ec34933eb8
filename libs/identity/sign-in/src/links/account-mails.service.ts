import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  accountExistsMail,
  emailChangeConfirmationMail,
  emailVerificationMail,
  type MailContent,
  type MailStyle,
  mailStyle,
  MessageOutbox,
  passwordResetMail,
  type SecurityNotice,
  securityNoticeMail,
} from '#platform/mail';
import { MailDefaultsQuery, type MailRecipient } from '#directory/organizations';
import { type OneTimePurpose, OneTimeTokenService } from '#directory/sessions';
import type { User } from '#directory/users';

const HOUR_MS = 3_600_000;

/** How long links work. */
const LIFETIMES_MS = {
  password_reset: HOUR_MS,
  email_verification: 24 * HOUR_MS,
  email_change: 24 * HOUR_MS,
  email_change_cancel: 24 * HOUR_MS,
} as const;

const PAGES = {
  password_reset: 'reset-password',
  email_verification: 'verify-email',
  email_change: 'verify-email',
  email_change_cancel: 'cancel-email-change',
} as const;

type LinkPurpose = Exclude<OneTimePurpose, 'invitation'>;

/** Mails about accounts, in the organization's looks. All are written in the caller's transaction. */
@Injectable()
export class AccountMailsService {
  constructor(
    private readonly tokens: OneTimeTokenService,
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsQuery,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Sends the link that sets a new password; older ones work on until one is used. Gives until when it works. */
  async sendPasswordReset(ctx: RequestContext, organization: OrganizationScope, user: User): Promise<Date> {
    const { link, expiresAt } = await this.link(ctx, 'password_reset', organization, user, user.emailKey);
    await this.send(ctx, organization, user, 'password_reset', (look) => passwordResetMail({ ...look, link, expiresAt }));
    return expiresAt;
  }

  /** Sends the link that confirms the user's present address. Gives until when it works. */
  async sendVerification(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    occasion: 'sign_up' | 'address',
  ): Promise<Date> {
    const { link, expiresAt } = await this.link(ctx, 'email_verification', organization, user, user.emailKey);
    const content = (look: Look) => emailVerificationMail({ ...look, link, expiresAt, occasion });
    await this.send(ctx, organization, user, 'email_verification', content);
    return expiresAt;
  }

  /** Sends the link that moves the user to another address, to that address; an older one dies. Gives until when it works. */
  async sendEmailChange(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    { email, boundTo }: { email: string; boundTo: string },
  ): Promise<Date> {
    await this.tokens.voidAll(ctx, user, 'email_change');
    const { link, expiresAt } = await this.link(ctx, 'email_change', organization, user, boundTo);
    const content = (look: Look) => emailChangeConfirmationMail({ ...look, from: user.email, link, expiresAt });
    await this.send(ctx, organization, { email, locale: user.locale }, 'email_change', content);
    return expiresAt;
  }

  /** Notifies the present address that another one was requested, with a link that cancels the request and ends all sessions. */
  async sendEmailChangeRequested(ctx: RequestContext, organization: OrganizationScope, user: User, to: string): Promise<void> {
    const { link } = await this.link(ctx, 'email_change_cancel', organization, user, user.emailKey);
    await this.sendNotice(ctx, organization, user, { kind: 'email_change_requested', to, link });
  }

  /** Tells the owner of an account that somebody signed up with its address. */
  async sendAccountExists(ctx: RequestContext, organization: OrganizationScope, user: User): Promise<void> {
    await this.send(ctx, organization, user, 'account_exists', accountExistsMail);
  }

  /** Tells the owner of an account that its password was changed (OWASP ASVS 6.3.7). */
  async sendPasswordChanged(ctx: RequestContext, organization: OrganizationScope, user: User): Promise<void> {
    await this.sendNotice(ctx, organization, user, { kind: 'password_changed' });
  }

  private async sendNotice(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    notice: SecurityNotice,
  ): Promise<void> {
    const content = (look: Look) => securityNoticeMail({ ...look, notice, at: this.clock.now() });
    await this.send(ctx, organization, user, 'security_notice', content);
  }

  private async link(ctx: RequestContext, purpose: LinkPurpose, organization: OrganizationScope, user: User, boundTo: string) {
    const { token, expiresAt } = await this.tokens.issue(ctx, {
      purpose,
      user: { tenantId: user.tenantId, id: user.id },
      organizationId: organization.id,
      lifetimeMs: LIFETIMES_MS[purpose],
      boundTo,
    });
    return { link: `${this.config.baseUrl}/${PAGES[purpose]}?token=${encodeURIComponent(token)}`, expiresAt };
  }

  private async send(
    ctx: RequestContext,
    organization: OrganizationScope,
    { email: to, locale }: MailRecipient,
    template: string,
    content: (look: Look) => MailContent,
  ): Promise<void> {
    const { id: organizationId, tenantId, name: organizationName } = organization;
    const style = mailStyle(await this.mailDefaults.get(ctx, organization), locale);
    await this.messages.sendMail(ctx, {
      tenantId,
      organizationId,
      template,
      to,
      content: content({ ...style, organizationName }),
    });
  }
}

type Look = MailStyle & { organizationName: string };
