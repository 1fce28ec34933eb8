import { Injectable, Logger } from '@nestjs/common';
import type { SignInProvider } from '#directory/organizations';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { IdentityProviderUnavailable } from '../federation-errors.js';
import { describeFailure } from './describe-failure.js';
import { type DiscoveryProblem, discoveryProblemOf, IssuerMismatch } from './discovery-problem.js';
import { ProviderHttpService } from './provider-http.service.js';

const MAX_CLIENTS = 500;
const LIFETIME_MS = 5 * 60_000;
const REQUEST_TIMEOUT_SECONDS = 10;

/** Creates clients of identity providers from discovery documents (OpenID Connect Discovery 1.0). Caches the clients for five minutes. */
@Injectable()
export class ProviderClientsService {
  private readonly logger = new Logger('IdentityProviders');
  private readonly clients = new LRUCache<string, Configuration, SignInProvider>({
    max: MAX_CLIENTS,
    ttl: LIFETIME_MS,
    fetchMethod: (_key, _stale, { context }) => this.discover(context),
  });

  constructor(private readonly providerHttp: ProviderHttpService) {}

  /** @throws IdentityProviderUnavailable (503) */
  async get(provider: SignInProvider): Promise<Configuration> {
    try {
      return await this.clients.forceFetch(`${provider.id}|${provider.version}`, { context: provider });
    } catch (error) {
      this.logger.warn(`Discovery of ${provider.id} failed: ${describeFailure(error)}`);
      throw new IdentityProviderUnavailable();
    }
  }

  /** Requests the discovery document without the cache. Returns null if the provider can be used. */
  async findProblem(provider: SignInProvider): Promise<DiscoveryProblem | null> {
    try {
      await this.discover(provider);
      return null;
    } catch (error) {
      this.logger.warn(`Discovery of ${provider.id} failed: ${describeFailure(error)}`);
      return discoveryProblemOf(error);
    }
  }

  private async discover(provider: SignInProvider): Promise<Configuration> {
    const issuer = new URL(provider.issuer);
    // The network policy restricts http issuers. An https issuer can't have http endpoints.
    const extensions = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])];
    const client = await discovery(issuer, provider.clientId, undefined, authenticationOf(provider), {
      [customFetch]: this.providerHttp.fetch,
      timeout: REQUEST_TIMEOUT_SECONDS,
      execute: extensions,
    });
    // The library compares parsed URLs, but the specification requires equal texts (OpenID Connect Discovery 1.0, section 4.3).
    const { issuer: documentIssuer } = client.serverMetadata();
    if (documentIssuer !== provider.issuer) throw new IssuerMismatch(documentIssuer);
    return client;
  }
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
