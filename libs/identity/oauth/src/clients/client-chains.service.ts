import { Injectable } from '@nestjs/common';
import { type Caller, Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { ApplicationRulesService } from '../approval/application-rules.service.js';
import type { TokenChain } from '../exchange/token-chain.js';
import { clientReaches } from './client-reach.js';
import { TOKEN_EXCHANGE } from './oauth-client.entity.js';
import { type KnownClient, OAuthClientQuery } from './oauth-client.query.js';

/** The clients of a token. */
export interface ClientChain {
  /** The client to which the first token was issued. */
  readonly client: KnownClient;
  /** The clients to which the access was passed on, the last one last. */
  readonly actors: readonly KnownClient[];
}

/** Finds the clients of a token, and decides where they can act. Each client gets access to data, so the rules are for each. */
@Injectable()
export class ClientChainsService {
  constructor(
    private readonly clientQuery: OAuthClientQuery,
    private readonly applicationRules: ApplicationRulesService,
    private readonly clock: Clock,
  ) {}

  /** Returns the clients if all are active, and those that exchanged a token can still do so. `known` is a client that was read before. */
  async find(
    ctx: RequestContext,
    { clientId, actors: actorIds }: TokenChain,
    known: KnownClient | undefined,
  ): Promise<ClientChain | null> {
    const now = this.clock.now();
    const find = async (id: string) => (known?.clientId === id ? known : this.clientQuery.findById(ctx, id, now));
    const found = await Promise.all([clientId, ...actorIds].map(find));
    const [client, ...actors] = found.filter((each): each is KnownClient => each?.isActive === true);
    if (!client || actors.length !== actorIds.length) return null;
    return actors.every(({ grantTypes }) => grantTypes.includes(TOKEN_EXCHANGE)) ? { client, actors } : null;
  }

  /** Returns whether an organization allows each client to act for a user with these permissions, or for a machine client, which has none. */
  async areAllowed(
    ctx: RequestContext,
    clients: readonly KnownClient[],
    organization: OrganizationScope,
    grants: Caller['grants'] = [],
  ): Promise<boolean> {
    if (!clients.every((client) => clientReaches(client, organization))) return false;
    for (const client of clients) if (await this.applicationRules.findObstacle(ctx, client, organization, grants)) return false;
    return true;
  }
}
