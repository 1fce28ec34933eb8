import { Injectable } from '@nestjs/common';
import { RateLimited, RateLimitService, type RateLimitState } from '#identity/auth';
import { emailKey, type OrganizationScope } from '#platform/common';
import { hashToken } from '#platform/crypto';

const MAX_MAILS = 5;
const WINDOW_SECONDS = 3_600;

/** Limits the emails to an address, to prevent floods of emails. */
@Injectable()
export class MailLimitService {
  constructor(private readonly rateLimit: RateLimitService) {}

  /** Counts an email to the address in the tenant. Returns whether the email can be sent. */
  async isAllowed(organization: Pick<OrganizationScope, 'tenantId'>, email: string): Promise<boolean> {
    return !(await this.count(organization, email)).exceeded;
  }

  /** Counts an email to the address of the signed-in user. @throws RateLimited (429) */
  async assertAllowed(organization: OrganizationScope, email: string): Promise<void> {
    const { exceeded, resetSeconds } = await this.count(organization, email);
    if (exceeded) throw new RateLimited(resetSeconds);
  }

  private async count({ tenantId }: Pick<OrganizationScope, 'tenantId'>, email: string): Promise<RateLimitState> {
    const key = hashToken(`${tenantId}\n${emailKey(email)}`).toString('base64url');
    return this.rateLimit.countUse('mail', key, MAX_MAILS, WINDOW_SECONDS);
  }
}
