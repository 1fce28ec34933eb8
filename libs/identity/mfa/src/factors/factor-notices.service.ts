import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { mailStyle, MessageOutbox, type SecurityNotice, securityNoticeMail } from '#platform/mail';
import { MailDefaultsService } from '#directory/organizations';
import { ThreatDetectionService } from '#platform/threats';
import type { UserWithOrganization } from '#directory/users';

/** Reports suspicious uses of factors, and notifies users by email when their factors change. */
@Injectable()
export class FactorNoticesService {
  constructor(
    private readonly threatDetection: ThreatDetectionService,
    private readonly messageOutbox: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly clock: Clock,
  ) {}

  /** Reports a TOTP code or passkey counter that was used twice. Must run outside the transaction that rejects the second use. */
  async reportReuse(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    rule: 'totp_reused' | 'passkey_counter',
  ): Promise<void> {
    const signals = { userId: user.id, ...(ctx.ipAddress === undefined ? {} : { ipAddress: ctx.ipAddress }) };
    await this.threatDetection.report(ctx, managingOrganization, {
      rule,
      riskLevel: 'high',
      subjectId: user.id,
      signals,
      action: 'refused',
    });
  }

  /** Reports the use of a recovery code, and notifies the user, in the caller's transaction. */
  async reportRecoveryCode(ctx: RequestContext, owner: UserWithOrganization, codesLeft: number): Promise<void> {
    const { user, managingOrganization } = owner;
    const address = ctx.ipAddress === undefined ? {} : { ipAddress: ctx.ipAddress };
    const signals = { userId: user.id, ...address, codesLeft };
    const threat = { rule: 'recovery_code_used', riskLevel: 'medium', subjectId: user.id, signals, action: 'none' } as const;
    await this.threatDetection.report(ctx, managingOrganization, threat);
    await this.notify(ctx, owner, { kind: 'recovery_code_used', left: codesLeft });
  }

  async notify(ctx: RequestContext, { user, managingOrganization }: UserWithOrganization, notice: SecurityNotice): Promise<void> {
    const style = mailStyle(await this.mailDefaults.get(ctx, managingOrganization), user.locale);
    await this.messageOutbox.sendMail(ctx, {
      tenantId: managingOrganization.tenantId,
      organizationId: managingOrganization.id,
      template: 'security_notice',
      to: user.email,
      content: securityNoticeMail({ organizationName: managingOrganization.name, notice, at: this.clock.now(), ...style }),
    });
  }
}
