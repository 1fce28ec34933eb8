import { Injectable, Logger } from '@nestjs/common';
import type { SignInProvider } from '#directory/organizations';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client';
import { IdentityProviderUnavailable } from '../federation-errors.js';
import { describeFailure } from './describe-failure.js';
import { type DiscoveryProblem, discoveryProblemOf, githubProblemOf, IssuerMismatch } from './discovery-problem.js';
import { assertClientAccepted, githubFetch, githubMetadata } from './github.js';
import { ProviderHttpService } from './provider-http.service.js';
import { ProviderKeys } from './provider-keys.js';
import { providerMetadata } from './provider-metadata.js';

const MAX_CLIENTS = 500;
const LIFETIME_MS = 5 * 60_000;
const REQUEST_TIMEOUT_SECONDS = 10;

export interface ProviderClient {
  readonly configuration: Configuration;
  readonly keys: ProviderKeys;
}

/** Creates clients of identity providers, except of GitHub from discovery documents (OpenID Connect Discovery 1.0). Caches them for five minutes. */
@Injectable()
export class ProviderClientsService {
  private readonly logger = new Logger('IdentityProviders');
  private readonly clients = new LRUCache<string, ProviderClient, SignInProvider>({
    max: MAX_CLIENTS,
    ttl: LIFETIME_MS,
    fetchMethod: (_key, _stale, { context }) => this.discover(context),
  });

  constructor(private readonly providerHttp: ProviderHttpService) {}

  /** @throws IdentityProviderUnavailable (503) */
  async get(provider: SignInProvider): Promise<ProviderClient> {
    try {
      return await this.clients.forceFetch(`${provider.id}|${provider.version}`, { context: provider });
    } catch (error) {
      this.logger.warn(`Discovery of ${provider.id} failed: ${describeFailure(error)}`);
      throw new IdentityProviderUnavailable();
    }
  }

  /** Requests the discovery document without the cache, or asks GitHub about the client. Returns null if the provider can be used. */
  async findProblem(provider: SignInProvider, redirectUri: string): Promise<DiscoveryProblem | null> {
    try {
      const { configuration } = await this.discover(provider);
      if (provider.type === 'github') await assertClientAccepted(configuration, redirectUri);
      return null;
    } catch (error) {
      this.logger.warn(`Discovery of ${provider.id} failed: ${describeFailure(error)}`);
      return provider.type === 'github' ? githubProblemOf(error) : discoveryProblemOf(error);
    }
  }

  private async discover(provider: SignInProvider): Promise<ProviderClient> {
    if (provider.type === 'github') return this.githubClient(provider);
    const discovered = await discovery(new URL(provider.issuer), provider.clientId, undefined, None(), {
      [customFetch]: this.providerHttp.fetch,
      timeout: REQUEST_TIMEOUT_SECONDS,
      execute: extensionsFor(provider),
    });
    // The library compares parsed URLs, but the specification requires equal texts (OpenID Connect Discovery 1.0, section 4.3).
    const document = discovered.serverMetadata();
    if (document.issuer !== provider.issuer) throw new IssuerMismatch(document.issuer);
    const metadata = providerMetadata(document, provider.issuer);
    const configuration = configurationOf(provider, metadata, authenticationOf(provider), this.providerHttp.fetch);
    return { configuration, keys: new ProviderKeys(() => this.loadKeys(metadata.jwks_uri)) };
  }

  private githubClient(provider: SignInProvider): ProviderClient {
    const authentication = ClientSecretPost(provider.clientSecret ?? '');
    const fetch = githubFetch(this.providerHttp.fetch);
    const configuration = configurationOf(provider, githubMetadata(provider.issuer), authentication, fetch);
    return { configuration, keys: new ProviderKeys(() => Promise.reject(new Error('GitHub publishes no keys.'))) };
  }

  private async loadKeys(url: string): Promise<unknown> {
    const response = await this.providerHttp.fetch(url, {
      method: 'GET',
      headers: { accept: 'application/json, application/jwk-set+json' },
      body: undefined,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_SECONDS * 1_000),
    });
    if (response.status !== 200) throw new Error(`The request for the keys returned status ${response.status} instead of 200.`);
    return response.json();
  }
}

/** The network policy restricts http issuers. An https issuer can't have http endpoints. */
const extensionsFor = ({ issuer }: SignInProvider) => (issuer.startsWith('http:') ? [allowInsecureRequests] : []);

function configurationOf(
  provider: SignInProvider,
  metadata: ServerMetadata,
  authentication: ClientAuth,
  fetch: CustomFetch,
): Configuration {
  const configuration = new Configuration(metadata, provider.clientId, undefined, authentication);
  configuration[customFetch] = fetch;
  configuration.timeout = REQUEST_TIMEOUT_SECONDS;
  for (const extend of extensionsFor(provider)) extend(configuration);
  return configuration;
}

/** Returns a client authentication that the provider supports. The default is HTTP Basic (OpenID Connect Discovery 1.0, section 3). */
function authenticationOf({ clientSecret }: SignInProvider): ClientAuth {
  if (clientSecret === null) return None();
  const basic = ClientSecretBasic(clientSecret);
  const post = ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const chosen = methods.includes('client_secret_basic') ? basic : post;
    chosen(server, ...rest);
  };
}
