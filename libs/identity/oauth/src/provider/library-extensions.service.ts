import { Injectable } from '@nestjs/common';
import { InvalidDpopProof } from '#identity/auth';
import { JwtBearerService } from '../assertions/jwt-bearer.service.js';
import { TokenExchangeService } from '../exchange/token-exchange.service.js';
import { MetadataEndpointsService } from '../registration/metadata-endpoints.service.js';
import { DpopProofsService, PROOF_SECONDS } from '../tokens/dpop-proofs.service.js';
import { type GrantType, type KoaContext, type Library, type LibraryProvider, loadLibrary } from './library.js';
import { currentRequest } from './oauth-request.js';
import { OAuthRequestsService } from './oauth-requests.service.js';

/** Adds to the library what it does not have: grant types, the commit of requests, and metadata. */
@Injectable()
export class LibraryExtensionsService {
  constructor(
    private readonly tokenExchange: TokenExchangeService,
    private readonly jwtBearer: JwtBearerService,
    private readonly dpopProofs: DpopProofsService,
    private readonly requests: OAuthRequestsService,
    private readonly metadata: MetadataEndpointsService,
  ) {}

  async extend(provider: LibraryProvider): Promise<void> {
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
    provider.use(this.metadata.extend);
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
