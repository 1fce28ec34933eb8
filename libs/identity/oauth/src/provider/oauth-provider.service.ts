import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { randomToken } from '#platform/crypto';
import { isUnavailable } from '#platform/database';
import { type SigningKeyPair, SigningKeysService } from '#identity/session-access';
import { OPENID_SCOPES } from '../clients/openid-scopes.js';
import { interactionPolicy } from '../interactions/interaction-policy.js';
import { InteractionPagesService } from '../interactions/interaction-pages.service.js';
import { CLAIMS_OF_SCOPES } from '../tokens/claims.service.js';
import { LibraryCallbacksService } from './library-callbacks.service.js';
import { type KoaContext, type LibraryClient, type LibraryProvider, loadLibrary } from './library.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import { OAuthPagesService } from './oauth-pages.service.js';
import { currentRequest } from './oauth-request.js';
import { replaceResponse, UNAVAILABLE } from './replaced-response.js';
import { ACR_VALUES } from './session-payload.js';
import { DPOP_ALGORITHMS } from '../tokens/dpop-proofs.service.js';
import { signingKey } from './signing-key.js';
import { LIFETIMES } from './token-lifetimes.js';
import { TOKEN_PREFIXES } from './token-shape.js';

/** The names of the library's cookies. The session cookie never leaves the process. */
export const LIBRARY_COOKIES = { session: 'oauth_session', interaction: 'oauth_interaction', resume: 'oauth_resume' };

/**
 * Builds the provider of the library, and builds it again when the signing keys change. Its only caller, `LibraryHandlerService`, would have
 * 12 dependencies with it.
 */
@Injectable()
export class OAuthProviderService {
  private readonly logger = new Logger('OAuth');
  private built?: { readonly kids: string; readonly provider: Promise<LibraryProvider> };

  constructor(
    private readonly adapter: OAuthAdapterService,
    private readonly callbacks: LibraryCallbacksService,
    private readonly interactionPages: InteractionPagesService,
    private readonly pages: OAuthPagesService,
    private readonly signingKeys: SigningKeysService,
    private readonly config: AppConfig,
  ) {}

  async get(): Promise<LibraryProvider> {
    const pairs = await this.signingKeys.listPairs();
    const kids = pairs.map(({ kid }) => kid).join(' ');
    if (this.built?.kids !== kids) this.built = { kids, provider: this.build(pairs) };
    return this.built.provider;
  }

  private async build(pairs: readonly SigningKeyPair[]): Promise<LibraryProvider> {
    const library = await loadLibrary();
    const provider = new library.Provider(this.config.baseUrl, {
      adapter: this.adapter.adapterOf,
      jwks: { keys: pairs.map((pair) => signingKey(library, pair)) },
      ...PROTOCOL,
      cookies: {
        names: LIBRARY_COOKIES,
        long: { httpOnly: true, sameSite: 'lax' },
        short: { httpOnly: true, sameSite: 'lax', path: '/' },
      },
      interactions: { policy: interactionPolicy(library), url: this.interactionPages.addressOf },
      ...this.callbacks.configuration(),
      features: { ...FEATURES, ...this.callbacks.features(library) },
      renderError: this.pages.renderError,
      ttl: LIFETIMES,
    });
    // The addresses come from BASE_URL (`OAuthEndpointsService`), not from headers.
    provider.proxy = true;
    provider.silent = true;
    provider.on('server_error', (ctx: KoaContext, error: unknown) => {
      this.logger.error({ err: error }, 'An OAuth request failed.');
      if (isUnavailable(error)) replaceResponse(ctx, UNAVAILABLE);
    });
    adjust(provider, this.adapter.isSecretOf);
    return provider;
  }
}

/** Changes what the library has no option for: the form of tokens, and how secrets are compared, and the ids of sessions. */
function adjust(provider: LibraryProvider, isSecretOf: OAuthAdapterService['isSecretOf']): void {
  for (const [kind, prefix] of Object.entries(TOKEN_PREFIXES)) {
    const model = provider[kind as 'AccessToken'].prototype as { generateTokenId(): string };
    const { generateTokenId } = model;
    model.generateTokenId = function (this: { resourceServer?: { accessTokenFormat?: string } }): string {
      const generated = generateTokenId.call(this);
      return this.resourceServer?.accessTokenFormat === 'jwt' ? withSource(generated) : prefix + randomToken();
    };
  }
  // The library's session is the session of this service, and lives for one request. A `sid` of its own would change each time.
  provider.Session.prototype.sidFor = function (this: { uid: string }): string {
    return this.uid;
  };
  provider.Client.prototype.compareClientSecret = function (this: LibraryClient, secret: string): boolean {
    return isSecretOf(this.clientId, secret);
  };
}

/** The id of a JWT names the stored code or token that it comes from, with which the exchange of a JWT finds the sign-in. */
function withSource(id: string): string {
  const { sourceHash } = currentRequest();
  return sourceHash === undefined ? id : `${id}.${sourceHash}`;
}

const PROTOCOL = {
  scopes: OPENID_SCOPES,
  claims: CLAIMS_OF_SCOPES,
  acrValues: ACR_VALUES,
  responseTypes: ['code'],
  subjectTypes: ['public'],
  pkce: { required: () => true },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  clientDefaults: { id_token_signed_response_alg: 'ES256', response_types: ['code'] },
  enabledJWA: {
    idTokenSigningAlgValues: ['ES256', 'RS256'],
    clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256', 'EdDSA'],
    userinfoSigningAlgValues: ['ES256', 'RS256'],
    dPoPSigningAlgValues: DPOP_ALGORITHMS,
  },
  conformIdTokenClaims: false,
  extraParams: ['organization', 'consent_implied'],
  rotateRefreshToken: true,
  // The standing of each code and token depends on the session (`StandingService`).
  expiresWithSession: () => false,
  enableHttpPostMethods: false,
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    userinfo: '/oauth/userinfo',
    revocation: '/oauth/revoke',
    introspection: '/oauth/introspect',
    end_session: '/oauth/logout',
    device_authorization: '/oauth/device',
    pushed_authorization_request: '/oauth/par',
    // A page of this service, which users find easily.
    code_verification: '/device',
    jwks: '/.well-known/jwks.json',
  },
};

const FEATURES = {
  devInteractions: { enabled: false },
  // Proofs are recent and work once, so that they need no nonce.
  dPoP: { enabled: true, requireNonce: () => false },
  pushedAuthorizationRequests: { enabled: true },
  clientCredentials: { enabled: true },
  claimsParameter: { enabled: true },
  // Another version of this experiment stops the start (`signingKey`).
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
  // For the discovery document. `BrowserEndpointsService` handles the requests.
  rpInitiatedLogout: { enabled: true },
  // For the discovery document and the `sid` of ID tokens. `libs/identity/logout` sends the logout tokens.
  backchannelLogout: { enabled: true },
};
