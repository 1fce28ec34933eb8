import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EmailVerificationService, InvalidCredentials, type SignInOutcome, SignInService } from '#identity/sign-in';
import { assertActive } from '#directory/organizations';
import type { User, UserWithOrganization } from '#directory/users';
import { FederatedAccountsService } from '../accounts/federated-accounts.service.js';
import { EmailNotConfirmed } from '../federation-errors.js';
import { CodeExchangeService } from '../provider/code-exchange.service.js';
import { PendingOidcSignInsService } from './pending-oidc-sign-ins.service.js';

export interface CompletedSignIn {
  readonly outcome: SignInOutcome;
  readonly user: User;
  readonly organization: OrganizationScope;
  readonly returnTo?: string;
}

/** The value in the claim `amr` for a sign-in with more than one factor (RFC 8176). */
const MULTI_FACTOR = 'mfa';

/** Completes sign-ins with the identity providers of organizations (authorization code flow of OpenID Connect Core 1.0, or of GitHub). */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly pendingOidcSignIns: PendingOidcSignInsService,
    private readonly codeExchange: CodeExchangeService,
    private readonly federatedAccounts: FederatedAccountsService,
    private readonly signIn: SignInService,
    private readonly emailVerification: EmailVerificationService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Completes a sign-in with the URL of the redirect from the provider.
   * @throws OidcStateInvalid, IdentityProviderRefused, IdentityProviderAnswerInvalid, InvalidCredentials (401), AccountNotLinked,
   * VerifiedEmailMissing, EmailNotConfirmed (403), OrganizationSuspended, OrganizationPending (409), DomainNotAllowed (422), IdentityProviderUnavailable (503)
   */
  async complete(ctx: RequestContext, callbackUrl: URL, bindingToken: string): Promise<CompletedSignIn> {
    const { organization, provider, checks, ...rest } = await this.pendingOidcSignIns.consume(ctx, callbackUrl, bindingToken);
    const claims = await this.codeExchange.redeem(provider, callbackUrl, checks);
    // Asserted before a user is linked or registered. `SignInService` repeats the assertion.
    assertActive(organization);
    const owner = await this.federatedAccounts.resolve(ctx, { provider, organization, claims });
    if (owner.user.status !== 'active') await this.refuse(ctx, organization, owner);
    await this.pendingOidcSignIns.recordSuccess(ctx, provider);
    const multiFactor = provider.mfaTrusted && claims.methods.includes(MULTI_FACTOR);
    const verified = { owner, organization, method: 'oidc', multiFactor, identityProviderId: provider.id } as const;
    const outcome = await this.signIn.complete(ctx, verified);
    return { outcome, user: owner.user, organization, ...rest };
  }

  /** Rejects a user who is not active, and publishes the reason. The response reveals only whether the user must verify the email address. */
  private async refuse(ctx: RequestContext, organization: OrganizationScope, owner: UserWithOrganization): Promise<never> {
    const { id, email, status } = owner.user;
    const data = { userId: id, email, method: 'oidc', reason: `user_${status}`, failedAttempts: 0 };
    await this.work.run(ctx, (ctx) =>
      this.work.publish(ctx, 'user.login_failed', owner.managingOrganization, data, { userId: id }),
    );
    if (status !== 'pending') throw new InvalidCredentials();
    await this.emailVerification.sendToPending(ctx, organization, owner);
    throw new EmailNotConfirmed();
  }
}
