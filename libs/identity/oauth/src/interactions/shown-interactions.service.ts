import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import { InteractionsService, type OpenInteraction } from './interactions.service.js';
import { type RequestDestination, RequestDestinationsService } from './request-destinations.service.js';

/** An authorization request with what people need to decide about it. */
export interface ShownInteraction extends OpenInteraction {
  readonly resources: readonly DescribedResource[];
  readonly destination: RequestDestination;
}

/** Describes authorization requests to the signed-in user. */
@Injectable()
export class ShownInteractionsService {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly resources: DescribedResourcesService,
    private readonly destinations: RequestDestinationsService,
  ) {}

  /** @throws InteractionNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ShownInteraction> {
    const open = await this.interactions.open(ctx, id);
    const { client, asked, interaction } = open;
    const [resources = []] = await this.resources.describe(ctx, [{ client, resourceScopes: asked.resourceScopes }]);
    return { ...open, resources, destination: await this.destinations.find(ctx, interaction, client) };
  }
}
