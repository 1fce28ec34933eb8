import { isUtf8 } from 'node:buffer';
import { Injectable, Logger } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EmailVerificationService, InvalidCredentials, type SignInOutcome, SignInService } from '#identity/sign-in';
import { assertActive, type SignInProvider } from '#directory/organizations';
import type { User, UserWithOrganization } from '#directory/users';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
  type UserInfoResponse,
} from 'openid-client';
import { FederatedAccountsService } from '../accounts/federated-accounts.service.js';
import {
  EmailNotConfirmed,
  IdentityProviderAnswerInvalid,
  IdentityProviderRefused,
  IdentityProviderUnavailable,
  VerifiedEmailMissing,
} from '../federation-errors.js';
import { describeFailure } from '../provider/describe-failure.js';
import { redeemAtGithub } from '../provider/github.js';
import { type IdentityClaims, hasUsableClaims, identityClaims, isAbsent, isSubject } from '../provider/identity-claims.js';
import { type ProviderClient, ProviderClientsService } from '../provider/provider-clients.service.js';
import { ProviderUnreachable } from '../provider/provider-http.service.js';
import { KeysUnavailable } from '../provider/provider-keys.js';
import type { ResponseChecks } from '../provider/response-checks.js';
import { PendingOidcSignInsService } from './pending-oidc-sign-ins.service.js';

export interface CompletedSignIn {
  readonly outcome: SignInOutcome;
  readonly user: User;
  readonly organization: OrganizationScope;
  readonly returnTo?: string;
}

/** The maximum age of an ID token. The provider issues the token after the start of the sign-in. */
const ISSUED_WITHIN_SECONDS = 600;
const CLOCK_TOLERANCE_SECONDS = 30;

/** The value in the claim `amr` for a sign-in with more than one factor (RFC 8176). */
const MULTI_FACTOR = 'mfa';

/** Completes sign-ins with the identity providers of organizations (authorization code flow of OpenID Connect Core 1.0, or of GitHub). */
@Injectable()
export class OidcSignInService {
  private readonly logger = new Logger('IdentityProviders');

  constructor(
    private readonly pendingOidcSignIns: PendingOidcSignInsService,
    private readonly providerClients: ProviderClientsService,
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
    const claims = await this.redeem(provider, callbackUrl, checks);
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

  /**
   * Redeems the code in the redirect URL for the claims of the person. Verifies the state and `iss` (RFC 9207).
   * @throws IdentityProviderRefused, IdentityProviderAnswerInvalid (401), VerifiedEmailMissing (403), IdentityProviderUnavailable (503)
   */
  private async redeem(provider: SignInProvider, callbackUrl: URL, checks: ResponseChecks): Promise<IdentityClaims> {
    const client = await this.providerClients.get(provider);
    try {
      if (provider.type === 'github') return await redeemAtGithub(client.configuration, provider, callbackUrl, checks);
      return await this.redeemForIdToken(client, provider, callbackUrl, checks);
    } catch (error) {
      throw this.errorOf(provider, error);
    }
  }

  /**
   * Verifies the ID token: signature (with the published keys of the provider, only asymmetric algorithms), issuer, audience, authorized
   * party, expiry, time of issue and nonce.
   */
  private async redeemForIdToken(
    { configuration, keys }: ProviderClient,
    provider: SignInProvider,
    callbackUrl: URL,
    checks: ResponseChecks,
  ): Promise<IdentityClaims> {
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (!idToken || tokens.id_token === undefined) throw new Error('The response has no ID token.');
    if (!isUtf8(await keys.verify(tokens.id_token))) throw new Error('The ID token is not in UTF-8.');
    this.assertIdToken(idToken, provider);
    return identityClaims(idToken, await userInfoFor(configuration, idToken, tokens.access_token));
  }

  /** Asserts the claims that the library doesn't verify: `azp` with a single audience, the time of issue, and the format of the subject. */
  private assertIdToken({ azp, iat, sub }: IDToken, { clientId }: SignInProvider): void {
    if (!isAbsent(azp) && azp !== clientId) throw new Error('The ID token was issued to another client (azp).');
    const age = this.work.now().getTime() / 1_000 - iat;
    if (age > ISSUED_WITHIN_SECONDS || age < -CLOCK_TOLERANCE_SECONDS)
      throw new Error('The ID token was not issued recently (iat).');
    if (!isSubject(sub)) throw new Error('The subject is not valid (sub).');
  }

  private errorOf(provider: SignInProvider, error: unknown): Error {
    if (error instanceof AuthorizationResponseError) return new IdentityProviderRefused(error.error);
    this.logger.warn(`A sign-in with ${provider.id} failed: ${describeFailure(error)}`);
    // GitHub, about an account whose primary address is not verified.
    if (error instanceof ResponseBodyError && error.error === 'unverified_user_email') return new VerifiedEmailMissing();
    return isUnreachable(error) ? new IdentityProviderUnavailable() : new IdentityProviderAnswerInvalid();
  }
}

/** Requests the user info if the claims of the ID token are not sufficient (OpenID Connect Core 1.0, section 5.4). */
async function userInfoFor(client: Configuration, idToken: IDToken, accessToken: string): Promise<UserInfoResponse | undefined> {
  if (hasUsableClaims(idToken) || client.serverMetadata().userinfo_endpoint === undefined) return undefined;
  return fetchUserInfo(client, accessToken, idToken.sub);
}

function isUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderUnreachable || cause instanceof KeysUnavailable) return true;
  return false;
}
