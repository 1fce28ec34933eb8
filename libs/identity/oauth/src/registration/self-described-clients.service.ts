import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { isUniqueViolation } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { RateLimitService } from '#identity/auth';
import { LRUCache } from 'lru-cache';
import { domainOf } from '../approval/application-rule.js';
import { OAuthClient } from '../clients/oauth-client.entity.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OAuthClientRepository } from '../clients/oauth-client.repository.js';
import { GuardedFetchService } from '../provider/guarded-fetch.service.js';
import { AllowedRegistrationsQuery } from './allowed-registrations.query.js';
import { type ClientDescription, clientOf, InvalidClientMetadata } from './client-description.js';
import { FRESH_MAX_SECONDS, fetchMetadataDocument, isMetadataAddress, MetadataDocumentUnusable } from './metadata-document.js';
import { isSealedRegistration, SealedRegistrationsService } from './sealed-registrations.service.js';

const DOCUMENTS_MAX = 1_000;
/** How long the steps of one authorization request use the same document. */
const KEPT_SECONDS = 3_600;
const FETCHES_PER_MINUTE = 60;

interface CachedDocument {
  readonly description: ClientDescription;
  readonly freshUntilMs: number;
}

/** Why the client is needed: for a new authorization request, for a later step of one, or for a code or token. */
export type ClientUse = 'request' | 'step' | 'token';

/** Finds clients, also those that describe or register themselves, and stores the latter at the first consent. */
@Injectable()
export class SelfDescribedClientsService {
  private readonly documents = new LRUCache<string, CachedDocument>({ max: DOCUMENTS_MAX, ttl: FRESH_MAX_SECONDS * 1_000 });

  constructor(
    private readonly clientQuery: OAuthClientQuery,
    private readonly clients: OAuthClientRepository,
    private readonly guardedFetch: GuardedFetchService,
    private readonly rateLimit: RateLimitService,
    private readonly registrations: SealedRegistrationsService,
    private readonly allowed: AllowedRegistrationsQuery,
    private readonly work: UnitOfWork,
  ) {}

  /** Returns the client, or undefined if there is none. @throws MetadataDocumentUnusable */
  async find(ctx: RequestContext, clientId: string, use: ClientUse): Promise<KnownClient | undefined> {
    const stored = await this.clientQuery.findById(ctx, clientId, this.work.now());
    if (isMetadataAddress(clientId)) return use === 'token' ? stored : this.findDescribed(ctx, clientId, use, stored);
    if (stored || !isSealedRegistration(clientId)) return stored;
    const description = this.registrations.open(clientId);
    return description && clientOf(clientId, 'dynamic', description);
  }

  /** Stores a client that a user begins to use. A client that is stored already stays as it is. */
  async store(ctx: RequestContext, client: KnownClient): Promise<void> {
    if (!client.isNew) return;
    try {
      await this.work.run(ctx, async (ctx) => {
        await this.clients.insert(ctx, entityOf(client, this.work.now()), unneeded<'gain'>('self_described_client'));
        await this.clientQuery.insertHash(ctx, client);
        await this.clientQuery.insertHash(ctx, client, client.clientId);
      });
    } catch (error) {
      // Another request stored it first.
      if (!isUniqueViolation(error, 'oauth_clients_pkey')) throw error;
    }
  }

  private async findDescribed(
    ctx: RequestContext,
    clientId: string,
    use: ClientUse,
    stored: KnownClient | undefined,
  ): Promise<KnownClient> {
    if (!(await this.allowed.isDomainAllowed(ctx, domainOf(clientId))))
      throw new MetadataDocumentUnusable(
        `no organization allows applications of the domain ${domainOf(clientId)} (setting clientIdMetadataDomains)`,
      );
    const described = clientOf(clientId, 'metadata_document', await this.readDocument(clientId, use === 'request'));
    if (!stored) return described;
    const current: KnownClient = { ...stored, ...changeable(described) };
    if (!isDeepStrictEqual(changeable(stored), changeable(described)))
      await this.clients.updateDescription(ctx, stored, changeable(described), this.work.now());
    return current;
  }

  /**
   * Returns what the document says. A new authorization request reads it again, unless its headers say that it is still fresh; the steps of
   * this request use what was read. @throws MetadataDocumentUnusable
   */
  private async readDocument(clientId: string, isNewRequest: boolean): Promise<ClientDescription> {
    const now = this.work.now().getTime();
    const cached = this.documents.get(clientId);
    const isFreshFor = (seconds: number): boolean => cached !== undefined && now < cached.freshUntilMs + seconds * 1_000;
    if (cached && isFreshFor(isNewRequest ? 0 : KEPT_SECONDS)) return cached.description;
    const { exceeded } = await this.rateLimit.countUse('oauth-metadata', domainOf(clientId), FETCHES_PER_MINUTE, 60);
    // Requests for other documents of the domain can't shut out a client that is in use.
    if (exceeded && cached && isFreshFor(KEPT_SECONDS)) return cached.description;
    if (exceeded) throw new MetadataDocumentUnusable('too many requests for documents of this domain; try again in a minute');
    try {
      const { description, freshSeconds } = await fetchMetadataDocument(this.guardedFetch.fetch, clientId);
      this.documents.set(clientId, { description, freshUntilMs: now + freshSeconds * 1_000 });
      return description;
    } catch (error) {
      // A document that can't be read any more ends its use.
      this.documents.delete(clientId);
      if (error instanceof InvalidClientMetadata) throw new MetadataDocumentUnusable(error.message);
      throw error;
    }
  }
}

/** What a document can change. */
const changeable = ({ name, type, redirectUris, origins, authentication, jwks, jwksUri, ...client }: KnownClient) => ({
  name,
  type,
  redirectUris,
  backchannelLogoutUri: client.backchannelLogoutUri,
  backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired,
  origins,
  authentication,
  jwks,
  jwksUri,
});

function entityOf(client: KnownClient, now: Date): OAuthClient {
  const { clientId: _, isNew: __, organization: ___, secrets: ____, isActive: _____, ...columns } = client;
  return Object.assign(new OAuthClient(), columns, {
    organizationId: null,
    enabled: true,
    createdByType: 'system',
    createdById: null,
    flag: null,
    flaggedAt: null,
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  });
}
