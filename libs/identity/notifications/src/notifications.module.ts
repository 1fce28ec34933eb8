import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#directory/organizations';
import { NotificationPersonalDataQuery } from './notification-personal-data.query.js';
import { NotificationReadQuery } from './notification-read.query.js';
import { NotificationQuery } from './notification.query.js';
import { NotificationsService } from './notifications.service.js';
import { OrganizationNotificationsController } from './organization-notifications.controller.js';
import { OwnNotificationsController } from './own-notifications.controller.js';

/** What needs attention, for people and for organizations. Only which notifications a person has read is stored. */
@Module({
  imports: [OrganizationsModule],
  controllers: [OrganizationNotificationsController, OwnNotificationsController],
  providers: [NotificationPersonalDataQuery, NotificationQuery, NotificationReadQuery, NotificationsService],
})
export class NotificationsModule {}
