import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ApiData, ApiProblems, Ctx, type DataResponse, defineApiSection, Requires } from '#platform/http';
import { ListNotificationsQuery } from './notification.requests.js';
import { NotificationResponse } from './notification.responses.js';
import { NotificationsService } from './notifications.service.js';

defineApiSection('Notifications', 'What needs attention now: what fails, expires or waits for a decision.');

export const NOTIFICATIONS_DESCRIPTION =
  'The notifications are derived from the present state: a notification is listed from the beginning of a problem until the problem is solved. At most 200 are returned, newest first.';

@ApiTags('Notifications')
@Controller('v1/organizations/:org/notifications')
export class OrganizationNotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'listNotifications',
    summary: 'List notifications of an organization',
    description: `Returns what needs attention in the organization, limited to what the caller can see and solve. For example, \`webhook_failing\` requires the permissions \`webhooks:read\` and \`webhooks:write\`. ${NOTIFICATIONS_DESCRIPTION}`,
  })
  @ApiData([NotificationResponse])
  @ApiProblems({ 404: 'The organization does not exist.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Query() { includeDescendants }: ListNotificationsQuery,
  ): Promise<DataResponse<NotificationResponse[]>> {
    const found = await this.notifications.listIn(ctx, includeDescendants ?? false);
    return { data: found.map((each) => NotificationResponse.from(each, this.config.baseUrl)) };
  }
}
