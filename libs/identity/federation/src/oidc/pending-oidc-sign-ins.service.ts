import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type OrganizationScope, parseUrl, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ForwardedSignIns } from '#identity/auth';
import { OrganizationScopeQuery, type SignInProvider, SignInProvidersService } from '#directory/organizations';
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { OidcStateInvalid } from '../federation-errors.js';
import type { ResponseChecks } from '../provider/code-exchange.service.js';
import { ProviderClientsService } from '../provider/provider-clients.service.js';
import { isRedirectTo, redirectUriOf } from '../provider/redirect-uris.js';
import { OidcStatesService } from './oidc-states.service.js';

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

/** Starts sign-ins, consumes them when the provider responds, and records the first that worked. */
@Injectable()
export class PendingOidcSignInsService implements OnModuleInit {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInProviders: SignInProvidersService,
    private readonly providerClients: ProviderClientsService,
    private readonly oidcStates: OidcStatesService,
    private readonly forwardedSignIns: ForwardedSignIns,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.forwardedSignIns.register('callbackUrl', async (ctx, callbackUrl) => {
      const state = stateOf(parseUrl(callbackUrl));
      return state === undefined ? null : this.oidcStates.findOrganization(ctx, state);
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
    const { checks, bindingToken, expiresAt } = await this.oidcStates.issue(ctx, provider, organization.id, request.returnTo);
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
    const consumedState = await this.oidcStates.consume(ctx, state, bindingToken);
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
}

/** Returns the parameter `state`, or undefined if it is missing, invalid or there several times. */
function stateOf(callbackUrl: URL | undefined): string | undefined {
  const [state, ...duplicates] = callbackUrl?.searchParams.getAll('state') ?? [];
  return state !== undefined && duplicates.length === 0 && TOKEN.test(state) ? state : undefined;
}
