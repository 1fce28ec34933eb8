import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { hashToken, randomToken, SecretSealer } from '#platform/crypto';
import { OrganizationScopes, type SignInProvider, SignInProvidersService } from '#directory/organizations';
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { OidcStateInvalid } from '../federation-errors.js';
import type { AnswerChecks } from '../provider/code-exchange.js';
import { ProviderClients } from '../provider/provider-clients.js';
import { OidcSignInRepository } from './oidc-sign-in.repository.js';

const LIFETIME_MS = 10 * 60_000;
const TOKEN = /^[\w-]{43}$/;

/** Where somebody wants to sign in. */
export interface WantedSignIn {
  /** By slug or id. */
  readonly organization: string;
  /** By id or name. */
  readonly provider: string;
  /** The path of the page to go on with. */
  readonly returnTo?: string;
}

export interface BegunSignIn {
  readonly organization: OrganizationScope;
  /** Where the person goes to sign in. */
  readonly authorizationUrl: URL;
  readonly expiresAt: Date;
  /** Whoever brings the provider's answer must have it. */
  readonly bindingToken: string;
}

/** A sign-in that somebody came back from, used up. */
export interface AnsweredSignIn {
  readonly organization: OrganizationScope;
  readonly provider: SignInProvider;
  readonly checks: AnswerChecks;
  /** Of a sign-in that a page began. */
  readonly returnTo?: string;
}

/** What is kept, sealed, until the answer comes. */
type Kept = AnswerChecks & Pick<AnsweredSignIn, 'returnTo'>;

/** Sign-ins between their begin and the provider's answer: state, nonce and PKCE verifier of 256 random bits each, once and for ten minutes. */
@Injectable()
export class PendingOidcSignInsService {
  /** The address that a provider has to have registered. */
  readonly redirectUri: string;

  constructor(
    private readonly scopes: OrganizationScopes,
    private readonly providers: SignInProvidersService,
    private readonly clients: ProviderClients,
    private readonly signIns: OidcSignInRepository,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.redirectUri = `${config.baseUrl}/v1/auth/oidc/callback`;
  }

  /**
   * Begins a sign-in at an organization with a provider of it or of one above it.
   * @throws ResourceNotFound (404) also for an unknown organization, IdentityProviderUnavailable (503)
   */
  async begin(ctx: RequestContext, wanted: WantedSignIn): Promise<BegunSignIn> {
    const organization = await this.scopes.findScope(ctx, wanted.organization);
    const provider = organization && (await this.providers.find(ctx, organization, wanted.provider));
    if (!provider) throw new ResourceNotFound('identity_provider', wanted.provider);
    const client = await this.clients.of(provider);
    const checks = { state: randomToken(), nonce: randomToken(), codeVerifier: randomToken() };
    const bindingToken = randomToken();
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const authorizationUrl = buildAuthorizationUrl(client, {
      redirect_uri: this.redirectUri,
      scope: provider.scopes.join(' '),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    const kept: Kept = { ...checks, ...(wanted.returnTo === undefined ? {} : { returnTo: wanted.returnTo }) };
    await this.signIns.insert(ctx, {
      stateHash: hashToken(checks.state),
      tenantId: provider.tenantId,
      organizationId: organization.id,
      identityProviderId: provider.id,
      bindingHash: hashToken(bindingToken),
      checksSealed: this.sealer.seal(JSON.stringify(kept), sealingContext(checks.state)),
      expiresAt,
    });
    return { organization, authorizationUrl, expiresAt, bindingToken };
  }

  /**
   * Uses up the sign-in that an answer belongs to, for whoever began it.
   * @throws OidcStateInvalid (401)
   */
  async take(ctx: RequestContext, answer: URL, bindingToken: string): Promise<AnsweredSignIn> {
    const [state, ...further] = answer.searchParams.getAll('state');
    if (state === undefined || further.length > 0 || !TOKEN.test(state) || !TOKEN.test(bindingToken))
      throw new OidcStateInvalid();
    const taken = await this.signIns.take(ctx, hashToken(state), hashToken(bindingToken), this.clock.now());
    const organization = taken && (await this.scopes.findScope(ctx, taken.organizationId));
    // Switched off or removed meanwhile, the provider is not asked any more.
    const provider = organization && (await this.providers.find(ctx, organization, taken.identityProviderId));
    if (!provider) throw new OidcStateInvalid();
    const { returnTo, ...checks } = JSON.parse(this.sealer.open(taken.checksSealed, sealingContext(state))) as Kept;
    return { organization, provider, checks, ...(returnTo === undefined ? {} : { returnTo }) };
  }
}

const sealingContext = (state: string): string => `oidc_sign_ins|checks|${hashToken(state).toString('hex')}`;
