import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ReservedAudiences } from '#identity/session-access';
import { OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OAuthResourceQuery } from './oauth-resource.query.js';
import { isBelow } from './resource-identifier.js';

/** The `client_id` of a client, which is the audience of its ID tokens. */
const CLIENT_ID = /^(?:app|dcr)_/i;

/**
 * Reserves audiences for the tokens of OAuth clients: the identifiers of all resources, of any tenant, addresses below BASE_URL, and the ids
 * of clients. An API or a client could take another token of the same issuer for an access token or ID token of OAuth.
 */
@Injectable()
export class ResourceAudiencesService implements OnModuleInit {
  constructor(
    private readonly resourceQuery: OAuthResourceQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly audiences: ReservedAudiences,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.audiences.register((ctx, audience) => this.isReserved(ctx, audience));
  }

  private async isReserved(ctx: RequestContext, audience: string): Promise<boolean> {
    // The API of this service accepts no JWT, so a token for it can't be taken for one of OAuth.
    if (audience === this.config.baseUrl) return false;
    if (CLIENT_ID.test(audience) || isBelow(this.config.baseUrl, audience)) return true;
    if (await this.resourceQuery.isClaimed(ctx, audience)) return true;
    // The address of a metadata document is the id of its client.
    const clientId = URL.canParse(audience) ? new URL(audience).href : audience;
    return (await this.clientQuery.findById(ctx, clientId, this.clock.now())) !== undefined;
  }
}
