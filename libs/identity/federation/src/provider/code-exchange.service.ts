import { isUtf8 } from 'node:buffer';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#platform/common';
import type { SignInProvider } from '#directory/organizations';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
  type UserInfoResponse,
} from 'openid-client';
import {
  IdentityProviderAnswerInvalid,
  IdentityProviderRefused,
  IdentityProviderUnavailable,
  VerifiedEmailMissing,
} from '../federation-errors.js';
import { describeFailure } from './describe-failure.js';
import { redeemAtGithub } from './github.js';
import { type IdentityClaims, hasUsableClaims, identityClaims, isAbsent, isSubject } from './identity-claims.js';
import { type ProviderClient, ProviderClientsService } from './provider-clients.service.js';
import { ProviderUnreachable } from './provider-http.service.js';
import { KeysUnavailable } from './provider-keys.js';

/** The values that the response of the provider must match. */
export interface ResponseChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The maximum age of an ID token. The provider issues the token after the start of the sign-in. */
const ISSUED_WITHIN_SECONDS = 600;
const CLOCK_TOLERANCE_SECONDS = 30;

@Injectable()
export class CodeExchangeService {
  private readonly logger = new Logger('IdentityProviders');

  constructor(
    private readonly providerClients: ProviderClientsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Redeems the code in the redirect URL for the claims of the person. Verifies the state and `iss` (RFC 9207).
   * @throws IdentityProviderRefused, IdentityProviderAnswerInvalid (401), VerifiedEmailMissing (403), IdentityProviderUnavailable (503)
   */
  async redeem(provider: SignInProvider, callbackUrl: URL, checks: ResponseChecks): Promise<IdentityClaims> {
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
    const age = this.clock.now().getTime() / 1_000 - iat;
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
