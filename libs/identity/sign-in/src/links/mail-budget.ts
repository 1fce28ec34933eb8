import { Injectable } from '@nestjs/common';
import { RateLimited, RateLimitService, type RateLimitState } from '#identity/auth';
import { emailKey, type OrganizationScope } from '#platform/common';
import { hashToken } from '#platform/crypto';

const MAILS = 5;
const WINDOW_SECONDS = 3_600;

/** Keeps strangers from filling somebody's mailbox: what anybody can have sent to an address is little. */
@Injectable()
export class MailBudget {
  constructor(private readonly limits: RateLimitService) {}

  /** Whether one more mail may be sent to the address now; counts it if so. */
  async spend(organization: OrganizationScope, email: string): Promise<boolean> {
    return !(await this.count(organization, email)).exceeded;
  }

  /** The same for those who may know of the limit. @throws RateLimited (429) */
  async demand(organization: OrganizationScope, email: string): Promise<void> {
    const { exceeded, resetSeconds } = await this.count(organization, email);
    if (exceeded) throw new RateLimited(resetSeconds);
  }

  private async count({ tenantId }: OrganizationScope, email: string): Promise<RateLimitState> {
    const key = hashToken(`${tenantId}\n${emailKey(email)}`).toString('base64url');
    return this.limits.countUse('mail', key, MAILS, WINDOW_SECONDS);
  }
}
