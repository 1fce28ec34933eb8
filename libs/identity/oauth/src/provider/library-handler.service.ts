import { Injectable } from '@nestjs/common';
import type { ServiceRequest } from '#platform/http';
import { InvalidDpopProof } from '#identity/auth';
import type { Response } from 'express';
import { JwtBearerService } from '../assertions/jwt-bearer.service.js';
import { OAuthClientsService } from '../clients/oauth-clients.service.js';
import { TokenExchangeService } from '../exchange/token-exchange.service.js';
import { RegistrationEndpointsService } from '../registration/registration-endpoints.service.js';
import { DpopProofsService, PROOF_SECONDS } from '../tokens/dpop-proofs.service.js';
import { type GrantType, type KoaContext, type Library, type LibraryProvider, loadLibrary } from './library.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import { currentRequest } from './oauth-request.js';
import { OAuthProviderService } from './oauth-provider.service.js';
import { OAuthRequestsService } from './oauth-requests.service.js';

type Callback = ReturnType<LibraryProvider['callback']>;

/**
 * Lets the library handle requests, except registrations, which it would store, and adds to it what it does not have. Its only caller,
 * `OAuthEndpointsService`, would have 14 dependencies with it.
 */
@Injectable()
export class LibraryHandlerService {
  private readonly callbacks = new WeakMap<LibraryProvider, Promise<Callback>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly tokenExchange: TokenExchangeService,
    private readonly jwtBearer: JwtBearerService,
    private readonly dpopProofs: DpopProofsService,
    private readonly requests: OAuthRequestsService,
    private readonly adapter: OAuthAdapterService,
    private readonly clients: OAuthClientsService,
    private readonly registration: RegistrationEndpointsService,
  ) {}

  async handle(request: ServiceRequest, response: Response): Promise<void> {
    if (await this.registration.respond(request, response)) return;
    if (request.path === '/oauth/device') await this.clients.ensureCommandLineClient(currentRequest().ctx);
    this.adapter.readAhead(request);
    await (
      await this.callbackOf(await this.providers.get())
    )(request, response);
  }

  private callbackOf(provider: LibraryProvider): Promise<Callback> {
    const existing = this.callbacks.get(provider);
    if (existing) return existing;
    const created = this.createCallback(provider);
    this.callbacks.set(provider, created);
    return created;
  }

  private async createCallback(provider: LibraryProvider): Promise<Callback> {
    await this.extend(provider);
    return provider.callback();
  }

  /** Adds grant types, the commit of requests, and metadata. */
  private async extend(provider: LibraryProvider): Promise<void> {
    const library = await loadLibrary();
    const grantTypes: readonly GrantType[] = [this.tokenExchange, this.jwtBearer];
    for (const grantType of grantTypes) {
      const respond = async (koa: KoaContext): Promise<void> => {
        await this.readProof(library, koa);
        await grantType.respond(library, koa);
      };
      provider.registerGrantType(grantType.name, respond, grantType.parameters, grantType.repeatable);
    }
    provider.use(this.requests.commit);
    provider.use(this.registration.extendMetadata);
  }

  /** The library reads proofs of keys (DPoP) only for its own grant types. @throws InvalidDpopProof, InvalidGrant */
  private async readProof({ errors }: Library, { req, oidc }: KoaContext): Promise<void> {
    const request = currentRequest();
    const [proof, ...others] = req.headersDistinct['dpop'] ?? [];
    if (proof === undefined) {
      const mustHaveKey = request.clients.get(oidc.client.clientId)?.dpopBoundAccessTokens;
      if (mustHaveKey) throw new errors.InvalidGrant('the client must send a proof in the header DPoP');
      return;
    }
    const { key, id } = await this.dpopProofs
      .read({ proof: others.length === 0 ? proof : undefined, method: 'POST', path: '/oauth/token' })
      .catch((error: unknown) => {
        throw error instanceof InvalidDpopProof ? new errors.InvalidDpopProof(error.message) : error;
      });
    const usableUntil = Math.floor(Date.now() / 1_000) + PROOF_SECONDS;
    const isNew = await oidc.provider.ReplayDetection.unique(oidc.client.clientId, id, usableUntil);
    if (!isNew) throw new errors.InvalidGrant('the DPoP proof was used before');
    request.proofKey = key;
  }
}
