import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { mailStyle, MessageOutbox, securityCodeMail, securityCodeSms } from '#platform/mail';
import { MailDefaultsService } from '#directory/organizations';
import type { UserWithOrganization } from '#directory/users';
import type { CodeMethod } from '../mfa-method.js';
import { SentCodeCountQuery } from './sent-code-count.query.js';

@Injectable()
export class CodeSenderService {
  constructor(
    private readonly sentCodeCount: SentCodeCountQuery,
    private readonly messageOutbox: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly clock: Clock,
  ) {}

  /** Inserts the message in the caller's transaction. @throws CodeLimit (429) */
  async send(
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
