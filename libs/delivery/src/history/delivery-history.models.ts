import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '#events';
import { ChoiceField, MomentField, PageQuery } from '#http';
import { DELIVERY_STATUSES, type DeliveryCriteria, type DeliveryRow, type DeliveryStatus } from './delivery-history.read.js';

export const TIME_EXAMPLE = '2026-01-15T10:00:00.000Z';
export const moment = { type: 'string', format: 'date-time', nullable: true, example: TIME_EXAMPLE } as const;
export const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Which deliveries to list. */
export class DeliveriesQuery extends PageQuery {
  @ChoiceField({ description: 'Only those with this status.', choices: DELIVERY_STATUSES })
  status?: DeliveryStatus;

  @ChoiceField({ description: 'Only those of events of this type.', choices: EVENT_TYPES })
  eventType?: EventType;

  @MomentField({ description: 'Only those made at this moment or later.', example: TIME_EXAMPLE })
  since?: string;

  @MomentField({ description: 'Only those made before this moment.', example: TIME_EXAMPLE })
  until?: string;

  static criteria({ status, eventType, since, until }: DeliveriesQuery): DeliveryCriteria {
    return {
      ...(status ? { status } : {}),
      ...(eventType ? { eventType } : {}),
      ...(since ? { since: new Date(since) } : {}),
      ...(until ? { until: new Date(until) } : {}),
    };
  }
}

/** An event on its way to a webhook. */
export class DeliveryResponse {
  @ApiProperty({ example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn' }) id!: string;
  @ApiProperty({ example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' }) eventId!: string;
  @ApiProperty({ enum: EVENT_TYPES, example: 'user.created' }) eventType!: string;
  @ApiProperty({ example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' }) webhookId!: string;
  @ApiProperty({ description: 'Whether it was sent to try the webhook out.', example: false }) test!: boolean;
  @ApiProperty({
    description: "Its number among the webhook's deliveries, without gaps; null for a test.",
    type: 'integer',
    nullable: true,
    example: 17,
  })
  sequence!: number | null;
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'succeeded' }) status!: DeliveryStatus;
  @ApiProperty({ type: 'integer', example: 1 }) attemptCount!: number;
  @ApiProperty({
    ...moment,
    description: 'When it is tried next; null when it is not, or waits for its webhook to be switched on.',
  })
  nextAttemptAt!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 200 }) lastResponseCode!: number | null;
  @ApiProperty({ type: 'string', nullable: true, example: null }) lastErrorKind!: string | null;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) createdAt!: string;
  @ApiProperty(moment) completedAt!: string | null;

  static from(row: DeliveryRow): DeliveryResponse {
    const { id, eventId, eventType, webhookId, test, sequence, status, attemptCount, lastResponseCode, lastErrorKind } = row;
    return {
      id,
      eventId,
      eventType,
      webhookId,
      test,
      sequence: sequence === null ? null : Number(sequence),
      status,
      attemptCount,
      nextAttemptAt: shown(row.nextAttemptAt),
      lastResponseCode,
      lastErrorKind,
      createdAt: row.createdAt.toISOString(),
      completedAt: shown(row.completedAt),
    };
  }
}
