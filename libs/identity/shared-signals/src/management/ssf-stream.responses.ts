import { ApiProperty } from '@nestjs/swagger';
import { CLIENT_ID } from '#identity/oauth';
import { EVENT_TYPES } from '#platform/events';
import {
  type AttemptRow,
  DELIVERY_STATUSES,
  type DeliveryRow,
  type DeliveryStatus,
  ReceiverAttemptResponse,
  ReceiverDeliveryResponse,
} from '#webhooks/delivery-api';
import { deliveredEvents } from '../protocol/stream-configuration.js';
import {
  DELIVERY_METHODS,
  type DeliveryMethod,
  STREAM_STATUSES,
  type StreamStatus,
  SUBJECT_FORMATS,
  type SubjectFormat,
} from '../streams/ssf-stream.entity.js';
import type { ManagedStream } from './stream-administration.service.js';

export const STREAM_PARAM = { name: 'id', description: 'Id of the stream.', example: 'ssf_01kf2bav4hf7r8v2m5n9q1c3ek' };
const TIME = '2026-01-15T10:00:00.000Z';
const EVENT = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const NULLABLE_TIME = { type: String, format: 'date-time', nullable: true, example: TIME } as const;
const NULLABLE_TEXT = { type: String, nullable: true, example: null } as const;

/** A stream of security events. */
export class SsfStreamResponse {
  @ApiProperty({ description: 'Id of the stream.', example: STREAM_PARAM.example }) id!: string;
  @ApiProperty({ description: 'Id of the organization.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Id of the OAuth client that receives the events. Null if an API key of the organization created the stream.',
    example: CLIENT_ID,
  })
  clientId!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Name of the OAuth client, or null.', example: 'Intranet' }) clientName!:
    | string
    | null;
  @ApiProperty({
    description: '`push`: the service sends events to the receiver. `poll`: the receiver fetches them.',
    enum: DELIVERY_METHODS,
    example: 'push',
  })
  deliveryMethod!: DeliveryMethod;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Scheme, host and port of the address of the receiver. Null for `poll`.',
    example: 'https://receiver.example.com',
  })
  origin!: string | null;
  @ApiProperty({ description: 'Events that the receiver requested.', type: [String], example: [EVENT] })
  eventsRequested!: string[];
  @ApiProperty({ description: 'Requested events that the service supports.', type: [String], example: [EVENT] })
  eventsDelivered!: string[];
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Description that the receiver gave.', example: 'Sessions of the intranet' })
  description!: string | null;
  @ApiProperty({ description: 'How events name users.', enum: SUBJECT_FORMATS, example: 'iss_sub' })
  subjectFormat!: SubjectFormat;
  @ApiProperty({ description: 'Whether the stream contains events.', enum: STREAM_STATUSES, example: 'enabled' })
  status!: StreamStatus;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why the stream has its status, or null.' }) statusReason!: string | null;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time of the last attempt or acknowledgement, or null.' }) lastDeliveryAt!:
    | string
    | null;
  @ApiProperty({ description: 'Number of events that wait for the receiver, at most 1,000.', type: 'integer', example: 0 })
  pendingCount!: number;
  @ApiProperty({ description: 'Time at which the stream was created.', format: 'date-time', example: TIME }) createdAt!: string;
  @ApiProperty({ description: 'Time of the last change.', format: 'date-time', example: TIME }) updatedAt!: string;

  static from(this: void, { stream, progress }: ManagedStream): SsfStreamResponse {
    const { id, organizationId, clientId, deliveryMethod, endpointUrl, eventsRequested, description } = stream;
    return {
      id,
      organizationId,
      clientId,
      clientName: progress?.clientName ?? null,
      deliveryMethod,
      origin: endpointUrl === null ? null : new URL(endpointUrl).origin,
      eventsRequested,
      eventsDelivered: deliveredEvents(stream),
      description,
      subjectFormat: stream.subjectFormat,
      status: stream.status,
      statusReason: stream.statusReason,
      lastDeliveryAt: progress?.lastDeliveryAt?.toISOString() ?? null,
      pendingCount: progress?.pending ?? 0,
      createdAt: stream.createdAt.toISOString(),
      updatedAt: stream.updatedAt.toISOString(),
    };
  }
}

/** An event of a stream on its way to the receiver. */
export class SsfDeliveryResponse extends ReceiverDeliveryResponse {
  @ApiProperty({
    description: 'Id of the event, which is also the `jti` of the token.',
    example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht',
  })
  eventId!: string;
  @ApiProperty({ description: 'Type of the event of this service.', enum: EVENT_TYPES, example: 'user.suspended' })
  eventType!: string;
  @ApiProperty({ description: 'Id of the stream.', example: STREAM_PARAM.example }) streamId!: string;
  @ApiProperty({
    description:
      '`pending`: the event waits for an attempt, its turn or a poll. `delivering`: an attempt is in progress. `succeeded`: the receiver accepted the event. `failed`: all attempts failed, or the receiver rejected the event. `skipped`: the stream was disabled, or the receiver removed the user.',
    enum: DELIVERY_STATUSES,
    example: 'succeeded',
  })
  status!: DeliveryStatus;

  static from(this: void, row: DeliveryRow): SsfDeliveryResponse {
    return { ...ReceiverDeliveryResponse.fieldsOf(row), eventType: row.eventType, streamId: row.webhookId };
  }
}

/** One request to the receiver, or its answer in a poll. */
export class SsfAttemptResponse extends ReceiverAttemptResponse {}

/** A delivery with its attempts. */
export class SsfDeliveryDetailsResponse extends SsfDeliveryResponse {
  @ApiProperty({ description: 'Attempts so far, oldest first.', type: [SsfAttemptResponse] }) attempts!: SsfAttemptResponse[];

  static of(row: DeliveryRow & { attempts: readonly AttemptRow[] }): SsfDeliveryDetailsResponse {
    return { ...SsfDeliveryResponse.from(row), attempts: row.attempts.map(ReceiverAttemptResponse.fieldsOf) };
  }
}
