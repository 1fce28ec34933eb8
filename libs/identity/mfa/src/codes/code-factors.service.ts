import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { mailStyle, MessageOutbox, securityCodeMail, securityCodeSms } from '#platform/mail';
import { MailDefaultsService } from '#directory/organizations';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { type UserWithOrganization, UserFactorsService } from '#directory/users';
import type { CodeMethod } from '../mfa-method.js';
import { CodeFactorRepository } from './code-factor.repository.js';
import { SentCodeCountQuery } from './sent-code-count.query.js';

/** Stores the destinations of email codes and SMS codes, and sends the codes. */
@Injectable()
export class CodeFactorsService {
  constructor(
    private readonly codeFactors: CodeFactorRepository,
    private readonly sentCodeCount: SentCodeCountQuery,
    private readonly userFactors: UserFactorsService,
    private readonly messageOutbox: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly clock: Clock,
  ) {}

  /** Stores a confirmed destination in the caller's transaction. A phone number also becomes the verified phone number of the user. */
  async add(
    ctx: RequestContext,
    owner: UserWithOrganization,
    method: CodeMethod,
    destination: string,
    signIn: SignInAuthorization,
  ): Promise<void> {
    const { tenantId, id: userId } = owner.user;
    const factor = { tenantId, userId, method, destination, createdAt: this.clock.now() };
    await this.codeFactors.replace(ctx, factor, signIn);
    if (method === 'sms') await this.userFactors.verifyPhone(ctx, owner, destination);
  }

  /** Returns the email address or phone number that receives codes, or null without the factor. */
  async findDestination(ctx: RequestContext, { user }: UserWithOrganization, method: CodeMethod): Promise<string | null> {
    const factor = (await this.codeFactors.list(ctx, user)).find((each) => each.method === method);
    if (!factor) return null;
    // Email codes use the current confirmed address. SMS codes use the phone number that was confirmed for them.
    return method === 'email' && user.emailConfirmed ? user.email : factor.destination;
  }

  async recordUse(ctx: RequestContext, user: UserKey, method: CodeMethod): Promise<boolean> {
    return this.codeFactors.recordUse(ctx, user, method, this.clock.now());
  }

  /** Inserts the message with a code in the caller's transaction. @throws CodeLimit (429) */
  async sendCode(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    recipient: { readonly method: CodeMethod; readonly destination: string },
    { code, expiresAt }: { readonly code: string; readonly expiresAt: Date },
  ): Promise<void> {
    await this.sentCodeCount.record(ctx, user, recipient.method, this.clock.now());
    const envelope = {
      tenantId: managingOrganization.tenantId,
      organizationId: managingOrganization.id,
      template: 'security_code',
      to: recipient.destination,
    };
    const style = mailStyle(await this.mailDefaults.get(ctx, managingOrganization), user.locale);
    const data = { organizationName: managingOrganization.name, code, ...style };
    if (recipient.method === 'sms') {
      await this.messageOutbox.sendSms(ctx, { ...envelope, text: securityCodeSms(data) });
      return;
    }
    const content = securityCodeMail({ ...data, expiresAt });
    await this.messageOutbox.sendMail(ctx, { ...envelope, content });
  }
}
