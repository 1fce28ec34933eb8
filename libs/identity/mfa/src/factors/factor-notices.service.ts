import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { mailStyle, MessageOutbox, type SecurityNotice, securityNoticeMail } from '#platform/mail';
import { MailDefaultsQuery } from '#directory/organizations';
import { ThreatDetectionService } from '#platform/threats';
import type { UserAtHome } from '#directory/users';

/** Tells of what looks as if somebody else had a user's factors, and writes to users about theirs. */
@Injectable()
export class FactorNoticesService {
  constructor(
    private readonly threats: ThreatDetectionService,
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsQuery,
    private readonly clock: Clock,
  ) {}

  /** A code or a passkey came again that can't come twice from its owner. Outside the transaction that refuses it. */
  async reportReuse(ctx: RequestContext, { user, home }: UserAtHome, rule: 'totp_reused' | 'passkey_counter'): Promise<void> {
    const signals = { userId: user.id, ...(ctx.ipAddress === undefined ? {} : { ipAddress: ctx.ipAddress }) };
    await this.threats.report(ctx, home, { rule, riskLevel: 'high', subjectId: user.id, signals, action: 'refused' });
  }

  /** A recovery code was used, by its owner or by a finder. In the transaction that uses it up. */
  async reportRecoveryCode(ctx: RequestContext, owner: UserAtHome, left: number): Promise<void> {
    const { user, home } = owner;
    const address = ctx.ipAddress === undefined ? {} : { ipAddress: ctx.ipAddress };
    const signals = { userId: user.id, ...address, codesLeft: left };
    const threat = { rule: 'recovery_code_used', riskLevel: 'medium', subjectId: user.id, signals, action: 'none' } as const;
    await this.threats.report(ctx, home, threat);
    await this.write(ctx, owner, { kind: 'recovery_code_used', left });
  }

  /** Notifies the user by mail, in the caller's transaction. */
  async write(ctx: RequestContext, { user, home }: UserAtHome, notice: SecurityNotice): Promise<void> {
    const style = mailStyle(await this.mailDefaults.get(ctx, home), user.locale);
    await this.messages.sendMail(ctx, {
      tenantId: home.tenantId,
      organizationId: home.id,
      template: 'security_notice',
      to: user.email,
      content: securityNoticeMail({ organizationName: home.name, notice, at: this.clock.now(), ...style }),
    });
  }
}
