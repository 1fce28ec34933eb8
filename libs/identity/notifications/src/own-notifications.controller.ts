import { Body, Controller, Get, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ApiData, Ctx, type DataResponse, OwnAccount, Post } from '#platform/http';
import { ReadNotificationsRequest } from './notification.requests.js';
import { NotificationResponse } from './notification.responses.js';
import { NotificationsService } from './notifications.service.js';
import { NOTIFICATIONS_DESCRIPTION } from './organization-notifications.controller.js';

@ApiTags('Notifications')
@Controller('v1/auth/me/notifications')
export class OwnNotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @OwnAccount()
  @ApiOperation({
    operationId: 'listOwnNotifications',
    summary: 'List your notifications',
    description: `Returns what needs the attention of the signed-in user, in all organizations where the user can see and solve it. ${NOTIFICATIONS_DESCRIPTION}`,
  })
  @ApiData([NotificationResponse])
  async list(@Ctx() ctx: RequestContext): Promise<DataResponse<NotificationResponse[]>> {
    const found = await this.notifications.listOwn(ctx);
    return { data: found.map((each) => NotificationResponse.from(each, this.config.baseUrl)) };
  }

  @Post('read')
  @HttpCode(204)
  @OwnAccount()
  @ApiOperation({
    operationId: 'readNotifications',
    summary: 'Mark notifications as read',
    description: 'Marks notifications of the signed-in user as read. They stay in the list until the problem is solved.',
  })
  @ApiNoContentResponse({ description: 'The notifications are marked as read.' })
  async read(@Ctx() ctx: RequestContext, @Body() { ids }: ReadNotificationsRequest): Promise<void> {
    await this.notifications.markRead(ctx, ids);
  }
}
