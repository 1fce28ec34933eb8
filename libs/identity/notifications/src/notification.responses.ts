import { ApiProperty } from '@nestjs/swagger';
import { NOTIFICATION_TYPES, notificationSources, type NotificationType } from '#platform/notification-sources';
import type { Notification } from './notifications.service.js';

const TIME = { type: 'string', format: 'date-time', example: '2026-01-15T09:00:00.000Z' } as const;

class NotificationReferenceResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme Berlin' }) name!: string;
}

export class NotificationResponse {
  @ApiProperty({
    description: 'The id stays the same as long as the problem lasts. A problem that comes back has another id.',
    example: 'webhook_failing.wh_01kf2b8v3cf5h9r4n0j7d2q6xw.mk7a1b2c',
  })
  id!: string;

  @ApiProperty({
    description:
      'What needs attention. `…_flagged`: the owner of the resource is suspended, deleted or lacks permissions. `…_expiring`: in the next 14 days, and nothing has replaced it. `scim_connection_silent`: the directory has sent nothing for 7 days, or the connection has no valid token.',
    enum: NOTIFICATION_TYPES,
    example: 'webhook_failing',
  })
  type!: NotificationType;

  @ApiProperty({ description: 'Whether something does not work, or somebody waits.', example: true }) urgent!: boolean;

  @ApiProperty({ description: 'The organization of the resource.' }) organization!: NotificationReferenceResponse;

  @ApiProperty({
    description:
      'What needs attention: a webhook, an API key, an OAuth client, a SCIM connection, a domain or a request. The name of a request is the email address of the user who asks.',
    example: { id: 'wh_01kf2b8v3cf5h9r4n0j7d2q6xw', name: 'Billing' },
  })
  resource!: NotificationReferenceResponse;

  @ApiProperty({
    description:
      'Why: the kind of error or `status_` and the response code (`webhook_failing`), the `disabledReason` (`webhook_disabled`), the `flag` (`…_flagged`), `no_requests` or `no_token` (`scim_connection_silent`), or the `lastError` (`domain_lost`). Null for other types.',
    type: 'string',
    nullable: true,
    example: 'status_503',
  })
  reason!: string | null;

  @ApiProperty({ ...TIME, description: 'Time from which the problem lasts. For `…_expiring`, 14 days before the expiry.' })
  since!: string;

  @ApiProperty({ ...TIME, description: 'Time of the expiry, or until which a request can be decided.', nullable: true })
  dueAt!: string | null;

  @ApiProperty({
    description: 'Page of the dashboard on which the problem can be solved.',
    format: 'uri',
    example:
      'https://id.example.com/dashboard/organizations/org_01kf2b7m9ze4k8s1t6w3a5y0pd/webhooks/wh_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  url!: string;

  @ApiProperty({
    ...TIME,
    description:
      'Time at which the signed-in user marked the notification as read. Null for unread notifications, and for callers without a session of a user.',
    nullable: true,
    example: null,
  })
  readAt!: string | null;

  static from(notification: Notification, baseUrl: string): NotificationResponse {
    const { id, type, organizationId, organizationName, resourceId, name, reason, since, dueAt, readAt } = notification;
    const source = new Map(notificationSources()).get(type);
    return {
      id,
      type,
      urgent: source?.isUrgent ?? false,
      organization: { id: organizationId, name: organizationName },
      resource: { id: resourceId, name },
      reason,
      since: since.toISOString(),
      dueAt: dueAt?.toISOString() ?? null,
      url: baseUrl + (source?.path(organizationId, resourceId) ?? ''),
      readAt: readAt?.toISOString() ?? null,
    };
  }
}
