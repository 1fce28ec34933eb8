import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BaseQuery } from '#platform/database';
import { definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const READ_NOTIFICATIONS = definePersonalData('readNotifications', {
  description: 'Notifications that the user marked as read.',
  tables: ['notification_reads'],
  fields: {
    notificationId: field.text('Id of the notification.', 'webhook_failing.wh_01kf2b8v3cf5h9r4n0j7d2q6xw.mk7a1b2c'),
    readAt: field.time('Time at which the user marked the notification as read.'),
  },
});

/** Reads which notifications a user has read, for the export of the user. */
@Injectable()
export class NotificationPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(READ_NOTIFICATIONS, (ctx, { tenantId, id }) =>
      this.query(
        ctx,
        READ_NOTIFICATIONS.row,
        `SELECT notification_id AS "notificationId", read_at AS "readAt" FROM notification_reads
         WHERE tenant_id = $1 AND user_id = $2 ORDER BY read_at, notification_id`,
        [tenantId, id],
      ),
    );
  }
}
