import { Injectable } from '@nestjs/common';
import { Clock, emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { hashToken } from '#platform/crypto';
import {
  accountAccessMail,
  accountExistsMail,
  type AccountObstacle,
  emailChangeConfirmationMail,
  emailVerificationMail,
  type MailContent,
  mailedLink,
  type MailStyle,
  mailStyle,
  MessageOutbox,
  passwordResetMail,
  type SecurityNotice,
  securityNoticeMail,
  signInLinksMail,
} from '#platform/mail';
import { RateLimited, RateLimitService, type RateLimitState } from '#identity/auth';
import { MailDefaultsService, type MailRecipient } from '#directory/organizations';
import { type SignInAuthorization, unneeded } from '#directory/privileges';
import { type OneTimePurpose, OneTimeTokenService } from '#directory/sessions';
import type { User, UserWithOrganization } from '#directory/users';

const HOUR_MS = 3_600_000;

/** The limit of emails to an address, to prevent floods of emails. */
const MAX_MAILS = 5;
const MAX_MAILS_WITHIN_SECONDS = 3_600;

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

const TO_OWNER = unneeded<'sign_in'>('link_to_owner');

/** Sends emails about accounts, in the style of the organization. Inserts the emails in the caller's transaction. */
@Injectable()
export class AccountMailsService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly messageOutbox: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly rateLimit: RateLimitService,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Counts an email to the address in the tenant. Returns whether the email can be sent. */
  async isMailAllowed(organization: Pick<OrganizationScope, 'tenantId'>, email: string): Promise<boolean> {
    return !(await this.countMail(organization, email)).exceeded;
  }

  /** Counts an email to the address of the signed-in user. @throws RateLimited (429) */
  async assertMailAllowed(organization: OrganizationScope, email: string): Promise<void> {
    const { exceeded, resetSeconds } = await this.countMail(organization, email);
    if (exceeded) throw new RateLimited(resetSeconds);
  }

  /** Sends the link that sets a new password. Returns the expiry. Earlier links work until one link is used. */
  async sendPasswordReset(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    signIn: SignInAuthorization,
  ): Promise<Date> {
    const { link, expiresAt } = await this.link(
      ctx,
      organization,
      user,
      { purpose: 'password_reset', boundTo: user.emailKey },
      signIn,
    );
    await this.send(ctx, organization, user, 'password_reset', (style) => passwordResetMail({ ...style, link, expiresAt }));
    return expiresAt;
  }

  /** Sends the link that verifies the current address. Returns the expiry. */
  async sendVerification(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    occasion: 'sign_up' | 'address',
  ): Promise<Date> {
    const { link, expiresAt } = await this.link(
      ctx,
      organization,
      user,
      { purpose: 'email_verification', boundTo: user.emailKey },
      TO_OWNER,
    );
    const content = (style: Style) => emailVerificationMail({ ...style, link, expiresAt, occasion });
    await this.send(ctx, organization, user, 'email_verification', content);
    return expiresAt;
  }

  /** Sends the link that changes the address to the new address. Returns the expiry. Earlier links stop working. */
  async sendEmailChange(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    { email, boundTo }: { email: string; boundTo: string },
  ): Promise<Date> {
    await this.oneTimeTokens.voidAll(ctx, user, 'email_change');
    const { link, expiresAt } = await this.link(
      ctx,
      organization,
      user,
      { purpose: 'email_change', boundTo },
      unneeded<'sign_in'>('own_account'),
    );
    const content = (style: Style) => emailChangeConfirmationMail({ ...style, from: user.email, link, expiresAt });
    await this.send(ctx, organization, { email, locale: user.locale }, 'email_change', content);
    return expiresAt;
  }

  /** Notifies the current address of a requested change. The email contains a link that cancels the change and ends all sessions. */
  async sendEmailChangeRequested(ctx: RequestContext, organization: OrganizationScope, user: User, to: string): Promise<void> {
    const { link } = await this.link(
      ctx,
      organization,
      user,
      { purpose: 'email_change_cancel', boundTo: user.emailKey },
      TO_OWNER,
    );
    await this.sendNotice(ctx, organization, user, { kind: 'email_change_requested', to, link });
  }

  /**
   * Notifies the owner of an account that another person has entered the email address for another account. The sign-in page in the email
   * is the page of the organization that manages the user, because the user may be unable to sign in to other organizations.
   */
  async sendAccountExists(ctx: RequestContext, { user, managingOrganization }: UserWithOrganization): Promise<void> {
    const link = this.signInPage(managingOrganization);
    await this.send(ctx, managingOrganization, user, 'account_exists', (style) => accountExistsMail({ ...style, link }));
  }

  /** Tells the owner of an account that can't have a password what to do instead. */
  async sendAccountAccess(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    obstacle: AccountObstacle,
  ): Promise<void> {
    await this.send(ctx, managingOrganization, user, 'account_access', (style) => accountAccessMail({ ...style, obstacle }));
  }

  /** Sends links to the sign-in pages of organizations, in the style of the first one, or of the service for several tenants. */
  async sendSignInLinks(
    ctx: RequestContext,
    recipient: MailRecipient,
    organizations: readonly OrganizationScope[],
    returnTo: string | undefined,
  ): Promise<void> {
    const [first] = organizations;
    if (!first) return;
    const { email } = recipient;
    const parameters = { email, ...(returnTo === undefined ? {} : { returnTo }) };
    const links = organizations.map((each) => ({ name: each.name, link: this.signInPage(each, parameters) }));
    const neutral = organizations.every(({ tenantId }) => tenantId === first.tenantId) ? {} : { primaryColor: null, logo: null };
    const content = (style: Style) => signInLinksMail({ ...style, ...neutral, email, organizations: links });
    await this.send(ctx, first, recipient, 'sign_in_links', content);
  }

  /** Returns the link to the page on which users sign in to an organization. */
  signInPage(organization: OrganizationScope, parameters: Readonly<Record<string, string>> = {}): string {
    return mailedLink(this.config.baseUrl, 'account/sign-in', organization, parameters);
  }

  /** Notifies the owner of an account of a changed password (OWASP ASVS 6.3.7). */
  async sendPasswordChanged(ctx: RequestContext, organization: OrganizationScope, user: User): Promise<void> {
    await this.sendNotice(ctx, organization, user, { kind: 'password_changed' });
  }

  private async sendNotice(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    notice: SecurityNotice,
  ): Promise<void> {
    const content = (style: Style) => securityNoticeMail({ ...style, notice, at: this.clock.now() });
    await this.send(ctx, organization, user, 'security_notice', content);
  }

  private async link(
    ctx: RequestContext,
    organization: OrganizationScope,
    { tenantId, id }: User,
    { purpose, boundTo }: { readonly purpose: LinkPurpose; readonly boundTo: string },
    signIn: SignInAuthorization,
  ) {
    const organizationId = organization.id;
    const request = { purpose, user: { tenantId, id }, organizationId, lifetimeMs: LIFETIMES_MS[purpose], boundTo };
    const { token, expiresAt } = await this.oneTimeTokens.issue(ctx, request, signIn);
    return { link: mailedLink(this.config.baseUrl, PAGES[purpose], organization, { token }), expiresAt };
  }

  private async send(
    ctx: RequestContext,
    organization: OrganizationScope,
    { email: to, locale }: MailRecipient,
    template: string,
    content: (style: Style) => MailContent,
  ): Promise<void> {
    const { id: organizationId, tenantId, name: organizationName } = organization;
    const style = mailStyle(await this.mailDefaults.get(ctx, organization), locale);
    await this.messageOutbox.sendMail(ctx, {
      tenantId,
      organizationId,
      template,
      to,
      content: content({ ...style, organizationName }),
    });
  }

  private async countMail({ tenantId }: Pick<OrganizationScope, 'tenantId'>, email: string): Promise<RateLimitState> {
    const key = hashToken(`${tenantId}\n${emailKey(email)}`).toString('base64url');
    return this.rateLimit.countUse('mail', key, MAX_MAILS, MAX_MAILS_WITHIN_SECONDS);
  }
}

type Style = MailStyle & { organizationName: string };
