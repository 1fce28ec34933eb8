import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { unneeded } from '#directory/privileges';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OAuthClientRepository } from '../clients/oauth-client.repository.js';
import { type ClientDescription, clientOf } from './client-description.js';
import { SealedRegistrationsService } from './sealed-registrations.service.js';

/** A registration, and the client if a user has allowed it something. */
interface FoundRegistration {
  readonly description: ClientDescription;
  readonly issuedAt: number;
  readonly stored?: KnownClient;
}

/** Reads, changes and ends registrations of clients. */
@Injectable()
export class ClientManagementService {
  constructor(
    private readonly registrations: SealedRegistrationsService,
    private readonly clientQuery: OAuthClientQuery,
    private readonly clients: OAuthClientRepository,
    private readonly clock: Clock,
  ) {}

  async find(ctx: RequestContext, clientId: string): Promise<FoundRegistration | undefined> {
    const stored = await this.clientQuery.findById(ctx, clientId, this.clock.now());
    if (stored) return stored.isActive ? { ...registrationOf(stored), stored } : undefined;
    const sealed = this.registrations.open(clientId);
    return sealed && { description: sealed, issuedAt: sealed.issuedAt };
  }

  async update(ctx: RequestContext, { tenantId, id, clientId }: KnownClient, description: ClientDescription): Promise<void> {
    const { name, type, redirectUris, origins, ...client } = clientOf(clientId, 'dynamic', description);
    const { backchannelLogoutUri, backchannelLogoutSessionRequired } = client;
    const changed = { name, type, redirectUris, origins, backchannelLogoutUri, backchannelLogoutSessionRequired };
    await this.clients.updateDescription(ctx, { tenantId, id }, changed, this.clock.now());
  }

  /** What users allowed the client ends with it. */
  async end(ctx: RequestContext, client: KnownClient): Promise<void> {
    await this.clients.end(ctx, client, this.clock.now(), unneeded<'loss'>('self_described_client'));
  }
}

const registrationOf = ({ name, redirectUris, createdAt, ...client }: KnownClient): FoundRegistration => ({
  description: {
    name,
    redirectUris,
    backchannelLogoutUri: client.backchannelLogoutUri,
    backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired,
    authentication: 'none',
    jwks: null,
    jwksUri: null,
  },
  issuedAt: Math.floor(createdAt.getTime() / 1_000),
});
