import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type RequestDestination, RequestDestinationsService } from '../interactions/request-destinations.service.js';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import { DeviceAnswersService, type OpenDeviceRequest } from './device-answers.service.js';

/** The request of a device with what people need to decide about it. */
export interface ShownDeviceRequest extends OpenDeviceRequest {
  readonly resources: readonly DescribedResource[];
  /** The website of the client. */
  readonly website: RequestDestination | null;
}

/** Describes the requests of devices to the users who entered their codes. */
@Injectable()
export class ShownDeviceRequestsService {
  constructor(
    private readonly answers: DeviceAnswersService,
    private readonly resources: DescribedResourcesService,
    private readonly destinations: RequestDestinationsService,
  ) {}

  /** @throws DeviceRequestNotFound (404), RateLimited (429) */
  async open(ctx: RequestContext, userCode: string, organizationId?: string): Promise<ShownDeviceRequest> {
    const open = await this.answers.open(ctx, userCode, organizationId);
    const { client } = open.request;
    const { resourceScopes } = open.asked;
    const [resources = []] = await this.resources.describe(ctx, [{ client, resourceScopes }]);
    const website = client.homePageUri ?? client.redirectUris[0];
    return { ...open, resources, website: website === undefined ? null : await this.destinations.describe(ctx, website, client) };
  }
}
