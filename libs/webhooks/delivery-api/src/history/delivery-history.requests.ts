import { EVENT_TYPES, type EventType } from '#platform/events';
import { ChoiceField, MomentField, PageQuery } from '#platform/http';
import { DELIVERY_STATUSES, type DeliveryCriteria, type DeliveryStatus } from './delivery-history.query.js';

const TIME_EXAMPLE = '2026-01-15T10:00:00.000Z';

/** Filters for deliveries. */
export class DeliveriesQuery extends PageQuery {
  @ChoiceField({ description: 'Only deliveries with this status.', choices: DELIVERY_STATUSES })
  status?: DeliveryStatus;

  @ChoiceField({ description: 'Only deliveries of events of this type.', choices: EVENT_TYPES })
  eventType?: EventType;

  @MomentField({ description: 'Only deliveries created at or after this time.', example: TIME_EXAMPLE })
  since?: Date;

  @MomentField({ description: 'Only deliveries created before this time.', example: TIME_EXAMPLE })
  until?: Date;

  static criteria({ status, eventType, since, until }: DeliveriesQuery): DeliveryCriteria {
    return {
      ...(status ? { status } : {}),
      ...(eventType ? { eventType } : {}),
      ...(since ? { since } : {}),
      ...(until ? { until } : {}),
    };
  }
}
