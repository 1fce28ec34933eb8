import { ApiProperty } from '@nestjs/swagger';
import type { EventSubscriberCursor } from './event-subscriber-cursor.entity.js';
import type { SubscriberState } from './event-subscribers.service.js';

export class StoppedEventSubscriberResponse {
  @ApiProperty({ description: 'Id of the root organization.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
  @ApiProperty({ description: 'Id of the event that failed.', example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' }) eventId!: string;
  @ApiProperty({ description: 'Number of failed attempts.', type: 'integer', example: 10 }) attempts!: number;
  @ApiProperty({ description: 'Error message of the last attempt.', example: 'connect ECONNREFUSED 10.0.0.7:443' })
  error!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) stoppedAt!: string;

  static from({
    tenantId,
    failedEventId,
    attempts,
    lastError,
    stoppedAt,
  }: EventSubscriberCursor): StoppedEventSubscriberResponse {
    return {
      organizationId: tenantId,
      eventId: failedEventId ?? '',
      attempts,
      error: lastError ?? '',
      stoppedAt: stoppedAt?.toISOString() ?? '',
    };
  }
}

export class EventSubscriberResponse {
  @ApiProperty({ description: 'Name of the event subscriber in the code.', example: 'crm-sync' }) name!: string;
  @ApiProperty({
    description: 'Types of the events that it gets. Empty if it is no longer in the code.',
    type: [String],
    example: ['user.created'],
  })
  eventTypes!: string[];
  @ApiProperty({ description: 'Upper bound of the number of events that wait for it.', type: 'integer', example: 0 })
  waitingEvents!: number;
  @ApiProperty({
    description: 'For how many seconds the event that waits longest has been due, or the event subscriber has been stopped.',
    type: 'number',
    example: 0,
  })
  lagSeconds!: number;
  @ApiProperty({
    description: 'Number of organizations for which it is stopped, because all attempts failed.',
    type: 'integer',
    example: 0,
  })
  stoppedCount!: number;
  @ApiProperty({
    description: 'The organizations for which it is stopped: at most 100, the longest stopped first.',
    type: [StoppedEventSubscriberResponse],
  })
  stopped!: StoppedEventSubscriberResponse[];

  static from({ name, types, waitingEvents, lagSeconds, stoppedCount, stopped }: SubscriberState): EventSubscriberResponse {
    return {
      name,
      eventTypes: [...types],
      waitingEvents,
      lagSeconds,
      stoppedCount,
      stopped: stopped.map(StoppedEventSubscriberResponse.from),
    };
  }
}
