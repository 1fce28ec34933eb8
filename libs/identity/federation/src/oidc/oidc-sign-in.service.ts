import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationPending, OrganizationSuspended } from '#directory/organizations';
import { EmailVerificationService, InvalidCredentials, SignInService, type SignInOutcome } from '#identity/sign-in';
import type { User, UserAtHome } from '#directory/users';
import { FederatedAccountsService } from '../accounts/federated-accounts.service.js';
import { EmailNotConfirmed } from '../federation-errors.js';
import { CodeExchange } from '../provider/code-exchange.js';
import { PendingOidcSignInsService } from './pending-oidc-sign-ins.service.js';

/** What came of an answer, of whom and where. */
export interface CompletedSignIn {
  readonly outcome: SignInOutcome;
  readonly user: User;
  readonly organization: OrganizationScope;
  /** Of a sign-in that a page began: the path to go on with. */
  readonly returnTo?: string;
}

/** Among `amr`: more than one factor was used (RFC 8176). */
const MULTI_FACTOR = 'mfa';

/** Signs people in whom an organization's identity provider has authenticated (OpenID Connect Core 1.0, authorization code flow). */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly pending: PendingOidcSignInsService,
    private readonly codes: CodeExchange,
    private readonly accounts: FederatedAccountsService,
    private readonly signIn: SignInService,
    private readonly verification: EmailVerificationService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Takes the address that the provider led the browser to, from whoever began the sign-in.
   * @throws OidcStateInvalid, IdentityProviderRefused, IdentityProviderAnswerInvalid, InvalidCredentials (401), AccountNotLinked, EmailNotConfirmed (403),
   * OrganizationSuspended, OrganizationPending (409), DomainNotAllowed (422), IdentityProviderUnavailable (503)
   */
  async complete(ctx: RequestContext, answer: URL, bindingToken: string): Promise<CompletedSignIn> {
    const { organization, provider, checks, ...begun } = await this.pending.consume(ctx, answer, bindingToken);
    const claims = await this.codes.redeem(provider, answer, checks);
    demandActive(organization);
    const user = await this.accounts.resolve(ctx, { provider, organization, claims });
    if (user.user.status !== 'active') await this.refuse(ctx, organization, user);
    const multiFactor = provider.mfaTrusted && claims.methods.includes(MULTI_FACTOR);
    const outcome = await this.signIn.complete(ctx, { user, organization, method: 'oidc', multiFactor });
    return { outcome, user: user.user, organization, ...begun };
  }

  /** Tells the organization why; whoever tried learns only whether the account's address has to be confirmed first. */
  private async refuse(ctx: RequestContext, organization: OrganizationScope, owner: UserAtHome): Promise<never> {
    const { id, email, status } = owner.user;
    const data = { userId: id, email, method: 'oidc', reason: `user_${status}`, failedAttempts: 0 };
    await this.work.run(ctx, (ctx) => this.work.publish(ctx, 'user.login_failed', organization, data, { userId: id }));
    if (status !== 'pending') throw new InvalidCredentials();
    await this.verification.sendToPending(ctx, organization, owner);
    throw new EmailNotConfirmed();
  }
}

/** Asked before an account is linked or made; the opening of the session asks again. */
function demandActive({ status, slug }: OrganizationScope): void {
  if (status === 'suspended') throw new OrganizationSuspended();
  if (status === 'pending') throw new OrganizationPending({ slug });
}
