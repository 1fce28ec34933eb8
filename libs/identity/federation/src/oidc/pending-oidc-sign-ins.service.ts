import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type OrganizationScope, parseUrl, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { hashToken, randomToken, SecretSealer } from '#platform/crypto';
import { ForwardedSignIns } from '#identity/auth';
import { OrganizationScopeQuery, type SignInProvider, SignInProvidersService } from '#directory/organizations';
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { OidcStateInvalid } from '../federation-errors.js';
import type { ResponseChecks } from '../provider/response-checks.js';
import { ProviderClientsService } from '../provider/provider-clients.service.js';
import { isRedirectTo, redirectUriOf } from '../provider/redirect-uris.js';
import { OidcSignInQuery } from './oidc-sign-in.query.js';
import { OidcSignInRepository } from './oidc-sign-in.repository.js';

const LIFETIME_MS = 10 * 60_000;

const TOKEN = /^[\w-]{43}$/;

export interface OidcSignInRequest {
  /** The slug or id of the organization. */
  readonly organization: string;
  /** The id or name of the identity provider. */
  readonly provider: string;
  /** The path to redirect the browser to. Present only if a page starts the sign-in. */
  readonly returnTo?: string;
}

export interface StartedOidcSignIn {
  readonly organization: OrganizationScope;
  readonly state: string;
  /** The URL at the provider where the person signs in. */
  readonly authorizationUrl: URL;
  readonly expiresAt: Date;
  /** The secret that completes the sign-in, together with the response of the provider. */
  readonly bindingToken: string;
}

export interface PendingOidcSignIn {
  readonly organization: OrganizationScope;
  readonly provider: SignInProvider;
  readonly checks: ResponseChecks;
  readonly returnTo?: string;
}

/** The content of a sealed state. */
type StoredState = ResponseChecks & {
  readonly returnTo?: string;
};

interface IssuedState {
  readonly checks: ResponseChecks;
  /** The secret of the client that starts the sign-in. */
  readonly bindingToken: string;
  readonly expiresAt: Date;
}

interface ConsumedState {
  readonly organizationId: string;
  readonly identityProviderId: string;
  readonly checks: ResponseChecks;
  readonly returnTo?: string;
}

/**
 * Starts sign-ins, consumes them when the provider responds, and records the first that worked. The state, nonce and PKCE verifier of a
 * pending sign-in have 256 random bits and work once, within ten minutes.
 */
@Injectable()
export class PendingOidcSignInsService implements OnModuleInit {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInProviders: SignInProvidersService,
    private readonly providerClients: ProviderClientsService,
    private readonly oidcSignIns: OidcSignInRepository,
    private readonly oidcSignInQuery: OidcSignInQuery,
    private readonly sealer: SecretSealer,
    private readonly forwardedSignIns: ForwardedSignIns,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.forwardedSignIns.register('callbackUrl', async (ctx, callbackUrl) => {
      const state = stateOf(parseUrl(callbackUrl));
      return state === undefined ? null : this.oidcSignIns.find(ctx, hashToken(state));
    });
  }

  /**
   * Starts a sign-in to an organization with a provider of this organization or of an ancestor.
   * @throws ResourceNotFound (404) also for a nonexistent organization, IdentityProviderUnavailable (503)
   */
  async start(ctx: RequestContext, request: OidcSignInRequest): Promise<StartedOidcSignIn> {
    const organization = await this.organizationScopes.findScope(ctx, request.organization);
    const provider = organization && (await this.signInProviders.find(ctx, organization, request.provider));
    if (!provider) throw new ResourceNotFound('identity_provider', request.provider);
    const { configuration } = await this.providerClients.get(provider);
    const { checks, bindingToken, expiresAt } = await this.issueState(ctx, provider, organization.id, request.returnTo);
    const authorizationUrl = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUriOf(provider),
      scope: provider.scopes.join(' '),
      state: checks.state,
      ...(provider.type === 'oidc' ? { nonce: checks.nonce } : {}),
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { organization, state: checks.state, authorizationUrl, expiresAt, bindingToken };
  }

  /**
   * Consumes the sign-in that a response of the provider belongs to. The response must have come to the redirect URI of the provider.
   * @throws OidcStateInvalid (401)
   */
  async consume(ctx: RequestContext, callbackUrl: URL, bindingToken: string): Promise<PendingOidcSignIn> {
    const state = stateOf(callbackUrl);
    if (state === undefined || !TOKEN.test(bindingToken)) throw new OidcStateInvalid();
    const consumedState = await this.consumeState(ctx, state, bindingToken);
    if (!consumedState) throw new OidcStateInvalid();
    const { organizationId, identityProviderId, ...rest } = consumedState;
    const organization = await this.organizationScopes.findScope(ctx, organizationId);
    // An administrator can have disabled or deleted the provider in the meantime.
    const provider = organization && (await this.signInProviders.find(ctx, organization, identityProviderId));
    if (!provider || !isRedirectTo(this.redirectUriOf(provider), callbackUrl)) throw new OidcStateInvalid();
    return { organization, provider, ...rest };
  }

  /** Records that somebody signed in with the provider. */
  recordSuccess(ctx: RequestContext, provider: SignInProvider): Promise<void> {
    return this.signInProviders.recordSignIn(ctx, provider);
  }

  /** Returns the redirect URI that must be registered at the provider. */
  redirectUriOf(provider: SignInProvider): string {
    return redirectUriOf(this.config.baseUrl, provider.issuer);
  }

  private async issueState(
    ctx: RequestContext,
    { tenantId, id: identityProviderId }: SignInProvider,
    organizationId: string,
    returnTo: string | undefined,
  ): Promise<IssuedState> {
    const checks = { state: randomToken(), nonce: randomToken(), codeVerifier: randomToken() };
    const bindingToken = randomToken();
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const stored: StoredState = { ...checks, ...(returnTo === undefined ? {} : { returnTo }) };
    await this.oidcSignIns.insert(ctx, {
      stateHash: hashToken(checks.state),
      tenantId,
      organizationId,
      identityProviderId,
      bindingHash: hashToken(bindingToken),
      checksSealed: this.sealer.seal(JSON.stringify(stored), sealingContext(checks.state)),
      expiresAt,
    });
    return { checks, bindingToken, expiresAt };
  }

  /**
   * Deletes and returns the state. Only one of several concurrent calls succeeds. Returns null if the state doesn't exist, is expired, or
   * was issued to another client.
   */
  private async consumeState(ctx: RequestContext, state: string, bindingToken: string): Promise<ConsumedState | null> {
    const signIn = await this.oidcSignInQuery.consume(ctx, hashToken(state), hashToken(bindingToken), this.clock.now());
    if (!signIn) return null;
    const { organizationId, identityProviderId, checksSealed } = signIn;
    const { returnTo, ...checks } = JSON.parse(this.sealer.open(checksSealed, sealingContext(state))) as StoredState;
    return { organizationId, identityProviderId, checks, ...(returnTo === undefined ? {} : { returnTo }) };
  }
}

/** Returns the parameter `state`, or undefined if it is missing, invalid or there several times. */
function stateOf(callbackUrl: URL | undefined): string | undefined {
  const [state, ...duplicates] = callbackUrl?.searchParams.getAll('state') ?? [];
  return state !== undefined && duplicates.length === 0 && TOKEN.test(state) ? state : undefined;
}

const sealingContext = (state: string): string => `oidc_sign_ins|checks|${hashToken(state).toString('hex')}`;
