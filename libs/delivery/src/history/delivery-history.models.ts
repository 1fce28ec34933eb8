import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '#events';
import { ChoiceField, MomentField, PageQuery } from '#http';
import {
  type AttemptRow,
  DELIVERY_STATUSES,
  type DeliveryCriteria,
  type DeliveryRow,
  type DeliveryStatus,
} from './delivery-history.read.js';

const TIME_EXAMPLE = '2026-01-15T10:00:00.000Z';
const moment = { type: 'string', format: 'date-time', nullable: true, example: TIME_EXAMPLE } as const;
const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

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

/** One request to the destination. */
export class AttemptResponse {
  @ApiProperty({ example: 'att_01kf2bgxm0f8t3v6y9c2n5q7ws' }) id!: string;
  @ApiProperty({ description: 'From 1.', type: 'integer', example: 1 }) number!: number;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) startedAt!: string;
  @ApiProperty({ description: 'In milliseconds.', type: 'integer', example: 143 }) responseTime!: number;
  @ApiProperty({ type: 'integer', nullable: true, example: 503 }) responseCode!: number | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { 'content-type': 'text/plain' },
  })
  responseHeaders!: Record<string, string> | null;
  @ApiProperty({ description: 'The first 16 KB.', type: 'string', nullable: true, example: 'try later' }) responseBody!:
    string | null;
  @ApiProperty({
    description: 'What kind of failure: `status` for an answer other than 2xx; null for a success.',
    type: 'string',
    nullable: true,
    example: 'status',
  })
  errorKind!: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'The destination answered 503.' }) errorMessage!: string | null;
  @ApiProperty({ ...moment, description: 'When the next attempt was due after this one.' }) nextAttemptAt!: string | null;

  static from(row: AttemptRow): AttemptResponse {
    const { id, number, responseTimeMs, responseCode, responseHeaders, responseBody, errorKind, errorMessage } = row;
    const times = {
      startedAt: row.startedAt.toISOString(),
      responseTime: responseTimeMs,
      nextAttemptAt: shown(row.nextAttemptAt),
    };
    return { id, number, ...times, responseCode, responseHeaders, responseBody, errorKind, errorMessage };
  }
}

/** A delivery with each of its attempts. */
export class DeliveryWithAttemptsResponse extends DeliveryResponse {
  @ApiProperty({ type: [AttemptResponse] }) attempts!: AttemptResponse[];
}
