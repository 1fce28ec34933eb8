import { Injectable } from '@nestjs/common';
import { type OrganizationScope, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { delayToStep } from '../delay-to-step.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { type AccountOrganization, AccountOrganizationsQuery } from './account-organizations.query.js';

/** The response time is a multiple of this step, so that the time doesn't reveal whether the account exists. */
const STEP_MS = 200;

/** An organization in which an account can sign in. */
interface OpenAccount {
  readonly account: AccountOrganization;
  readonly organization: OrganizationScope;
}

/** Emails users where they can sign in. */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly accounts: AccountOrganizationsQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends the organizations of the accounts of all tenants to the addresses of the accounts. An address that is written in another way can
   * be another mailbox, so each notation gets an email with its own organizations. The response and its time don't reveal whether an account
   * exists.
   */
  async send(ctx: RequestContext, { email, returnTo }: { readonly email: string; readonly returnTo?: string }): Promise<void> {
    await delayToStep(STEP_MS, async () => {
      const open = await this.listOpen(ctx, await this.accounts.list(ctx, email));
      if (!(await this.accountMails.isMailAllowed({ tenantId: PLATFORM_TENANT }, email)) || open.length === 0) return;
      await this.work.run(ctx, async (ctx) => {
        for (const address of new Set(open.map(({ account }) => account.email))) {
          const ofAddress = open.filter(({ account }) => account.email === address);
          const organizations = ofAddress.map(({ organization }) => organization);
          await this.accountMails.sendSignInLinks(ctx, ofAddress[0]!.account, organizations, returnTo);
        }
      });
    });
  }

  /** Returns the accounts by the name of the organization. Leaves out suspended organizations, and those of users whose managing organization is suspended. */
  private async listOpen(ctx: RequestContext, accounts: readonly AccountOrganization[]): Promise<OpenAccount[]> {
    const open: OpenAccount[] = [];
    for (const tenantId of new Set(accounts.map((account) => account.tenantId))) {
      const ofTenant = accounts.filter((account) => account.tenantId === tenantId);
      const ids = new Set(
        ofTenant.flatMap(({ organizationId, managingOrganizationId }) => [organizationId, managingOrganizationId]),
      );
      const organizations = await this.organizationScopes.listByIds(ctx, tenantId, [...ids]);
      const active = new Map(organizations.filter(({ status }) => status === 'active').map((each) => [each.id, each]));
      for (const account of ofTenant) {
        const organization = active.get(account.organizationId);
        if (organization && active.has(account.managingOrganizationId)) open.push({ account, organization });
      }
    }
    return open.toSorted((a, b) => a.organization.name.localeCompare(b.organization.name));
  }
}
