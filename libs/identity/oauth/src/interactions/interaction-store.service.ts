import { Injectable } from '@nestjs/common';
import { Clock, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { InteractionResult, StoredInteraction } from '../provider/library.js';
import { MetadataDocumentUnusable } from '../registration/metadata-document.js';
import { SelfDescribedClientsService } from '../registration/self-described-clients.service.js';
import { OAuthArtifactQuery } from '../tokens/oauth-artifact.query.js';
import { InteractionNotFound } from './interaction-errors.js';

/** Reads and writes authorization requests that wait for an answer of the user. */
@Injectable()
export class InteractionStoreService {
  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly selfDescribed: SelfDescribedClientsService,
    private readonly clock: Clock,
  ) {}

  /** @throws InteractionNotFound (404) */
  async find(ctx: RequestContext, id: string): Promise<StoredInteraction> {
    const stored = await this.artifacts.find(ctx, 'Interaction', id, this.clock.now());
    if (!stored) throw new InteractionNotFound();
    return { ...stored.payload, jti: id } as unknown as StoredInteraction;
  }

  /** Returns the client of a request. @throws InteractionNotFound (404) */
  async findClient(ctx: RequestContext, { params }: Pick<StoredInteraction, 'params'>): Promise<KnownClient> {
    const client = await this.selfDescribed.find(ctx, params['client_id'] ?? '', 'step').catch((error: unknown) => {
      if (error instanceof MetadataDocumentUnusable) throw new InteractionNotFound();
      throw error;
    });
    if (!client?.isActive) throw new InteractionNotFound();
    return client;
  }

  /** Stores the client of a request, when the user begins to use it. */
  storeClient(ctx: RequestContext, client: KnownClient): Promise<void> {
    return this.selfDescribed.store(ctx, client);
  }

  /** Records an answer beside the earlier answers. */
  async answer(ctx: RequestContext, interaction: StoredInteraction, result: InteractionResult): Promise<void> {
    const { jti: id, ...payload } = interaction;
    const merged = result.error === undefined ? { ...interaction.lastSubmission, ...result } : result;
    await this.artifacts.insert(ctx, {
      kind: 'Interaction',
      id,
      tenantId: PLATFORM_TENANT,
      payload: { ...payload, result: merged },
      signInId: null,
      expiresAt: new Date(interaction.exp * 1_000),
    });
  }
}
