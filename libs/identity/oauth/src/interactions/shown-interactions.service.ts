import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ApprovalRequestsService } from '../approval/approval-requests.service.js';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import { InteractionsService, type OpenInteraction } from './interactions.service.js';
import { type RequestDestination, RequestDestinationsService } from './request-destinations.service.js';

/** An authorization request with what people need to decide about it. */
export interface ShownInteraction extends OpenInteraction {
  readonly resources: readonly DescribedResource[];
  readonly destination: RequestDestination;
  /** Set if the user can't use the application yet. */
  readonly approval?: { readonly canAsk: boolean; readonly status: 'pending' | 'denied' | null };
}

/** Describes authorization requests to the signed-in user. */
@Injectable()
export class ShownInteractionsService {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly resources: DescribedResourcesService,
    private readonly destinations: RequestDestinationsService,
    private readonly approvalRequests: ApprovalRequestsService,
  ) {}

  /** @throws InteractionNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ShownInteraction> {
    const open = await this.interactions.open(ctx, id);
    const { client, asked, interaction } = open;
    const [resources = []] = await this.resources.describe(ctx, [{ client, resourceScopes: asked.resourceScopes }]);
    const shown = { ...open, resources, destination: await this.destinations.find(ctx, interaction, client) };
    const { organization, obstacle } = open;
    if (!organization || !obstacle) return shown;
    const status = await this.approvalRequests.findOwn(ctx, organization, client);
    return { ...shown, approval: { canAsk: obstacle === 'approval_needed', status } };
  }
}
