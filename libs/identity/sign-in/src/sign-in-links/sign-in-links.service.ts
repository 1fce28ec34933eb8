import { Injectable } from '@nestjs/common';
import { type OrganizationScope, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { delayToStep } from '../delay-to-step.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { MailLimitService } from '../links/mail-limit.service.js';
import { type AccountOrganization, AccountOrganizationsQuery } from './account-organizations.query.js';

/** The response time is a multiple of this step, so that the time doesn't reveal whether the account exists. */
const STEP_MS = 200;

/** Emails users where they can sign in. */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly accounts: AccountOrganizationsQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly mailLimit: MailLimitService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends one email for the accounts of all tenants, to the address of the account, because the address in the request can be written in
   * another way. The response and its time don't reveal whether an account exists.
   */
  async send(ctx: RequestContext, { email, returnTo }: { readonly email: string; readonly returnTo?: string }): Promise<void> {
    await delayToStep(STEP_MS, async () => {
      const accounts = await this.accounts.list(ctx, email);
      const organizations = await this.listOpen(ctx, accounts);
      if (!(await this.mailLimit.isAllowed({ tenantId: PLATFORM_TENANT }, email))) return;
      const [account] = accounts;
      if (!account || organizations.length === 0) return;
      await this.work.run(ctx, (ctx) => this.accountMails.sendSignInLinks(ctx, account, organizations, returnTo));
    });
  }

  /** Returns the organizations by name. Leaves out suspended organizations, and those of users whose managing organization is suspended. */
  private async listOpen(ctx: RequestContext, accounts: readonly AccountOrganization[]): Promise<OrganizationScope[]> {
    const open: OrganizationScope[] = [];
    for (const tenantId of new Set(accounts.map((account) => account.tenantId))) {
      const ofTenant = accounts.filter((account) => account.tenantId === tenantId);
      const ids = new Set(
        ofTenant.flatMap(({ organizationId, managingOrganizationId }) => [organizationId, managingOrganizationId]),
      );
      const organizations = await this.organizationScopes.listByIds(ctx, tenantId, [...ids]);
      const active = new Map(organizations.filter(({ status }) => status === 'active').map((each) => [each.id, each]));
      for (const { organizationId, managingOrganizationId } of ofTenant) {
        const organization = active.get(organizationId);
        if (organization && active.has(managingOrganizationId)) open.push(organization);
      }
    }
    return open.toSorted((a, b) => a.name.localeCompare(b.name));
  }
}
