import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#common';
import { MessageOutbox, securityCodeMail, singleLine } from '#mail';
import { OrganizationScopes } from '#organizations';
import type { UserAtHome } from '#users';
import type { CodeMethod } from '../mfa-method.js';
import { SentCodeCounts } from './sent-code-count.repository.js';

/** Sends codes by mail and SMS, within limits. */
@Injectable()
export class CodeSender {
  constructor(
    private readonly counts: SentCodeCounts,
    private readonly messages: MessageOutbox,
    private readonly scopes: OrganizationScopes,
    private readonly clock: Clock,
  ) {}

  /** Takes the message in the caller's transaction. @throws CodeLimit (429) */
  async send(
    ctx: RequestContext,
    { user, home }: UserAtHome,
    to: { readonly method: CodeMethod; readonly destination: string },
    { code, expiresAt }: { readonly code: string; readonly expiresAt: Date },
  ): Promise<void> {
    await this.counts.count(ctx, user, to.method, this.clock.now());
    const addressed = { tenantId: home.tenantId, organizationId: home.id, template: 'security_code', to: to.destination };
    if (to.method === 'sms') {
      const text = `${code} is your security code for ${singleLine(home.name).slice(0, 100)}. Tell it to nobody.`;
      await this.messages.sendSms(ctx, { ...addressed, text });
      return;
    }
    const branding = await this.scopes.brandingOf(ctx, home);
    const content = securityCodeMail({ organizationName: home.name, code, expiresAt, ...branding });
    await this.messages.sendMail(ctx, { ...addressed, content });
  }
}
