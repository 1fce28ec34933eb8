import { ApiProperty } from '@nestjs/swagger';
import type { ScheduledAttempt } from '../processing/retry-schedule.js';
import { sentHeaders } from '../signing/index.js';
import { type DeliveryDetails, type DeliveryPayload, PAYLOAD_STATES } from './delivery-details.service.js';
import { DeliveryResponse, moment, shown, TIME_EXAMPLE } from './delivery-history.models.js';
import type { AttemptRow, DeliveryRow } from './delivery-history.read.js';

/** What an attempt sent, beside the payload. */
export class AttemptRequestResponse {
  @ApiProperty({ description: 'Where to, as the webhook was set then.', format: 'uri', example: 'https://example.com/hooks' })
  url!: string;
  @ApiProperty({
    description: "The headers as they were sent, the signatures among them; the values of the webhook's own are masked.",
    type: 'object',
    additionalProperties: { type: 'string' },
    example: {
      'content-type': 'application/json',
      'user-agent': 'service-webhooks/1.0',
      'service-signature': 't=1795271002,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
      'webhook-id': 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht',
      'webhook-timestamp': '1795271002',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      'webhook-sequence': '17',
      authorization: '********',
    },
  })
  headers!: Record<string, string>;

  static from(
    { requestUrl, requestHeaders }: AttemptRow,
    { eventId, sequence }: DeliveryRow,
  ): AttemptRequestResponse | undefined {
    if (requestUrl === null || requestHeaders === null) return undefined;
    return { url: requestUrl, headers: sentHeaders(requestHeaders, eventId, sequence) };
  }
}

/** One request to the destination. */
export class AttemptResponse {
  @ApiProperty({ example: 'att_01kf2bgxm0f8t3v6y9c2n5q7ws' }) id!: string;
  @ApiProperty({ description: 'From 1.', type: 'integer', example: 1 }) number!: number;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) startedAt!: string;
  @ApiProperty({ description: 'In milliseconds.', type: 'integer', example: 143 }) responseTime!: number;
  @ApiProperty({
    description: 'What was sent; absent where no request could be made.',
    type: AttemptRequestResponse,
    required: false,
  })
  request?: AttemptRequestResponse;
  @ApiProperty({ type: 'integer', nullable: true, example: 503 }) responseCode!: number | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { 'content-type': 'text/plain' },
  })
  responseHeaders!: Record<string, string> | null;
  @ApiProperty({ description: 'The first 16 KB.', type: 'string', nullable: true, example: 'try later' }) responseBody!:
    | string
    | null;
  @ApiProperty({
    description: 'What kind of failure: `status` for an answer other than 2xx; null for a success.',
    type: 'string',
    nullable: true,
    example: 'status',
  })
  errorKind!: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'The destination answered 503.' }) errorMessage!: string | null;
  @ApiProperty({ ...moment, description: 'When the next attempt was due after this one.' }) nextAttemptAt!: string | null;

  static from(row: AttemptRow, delivery: DeliveryRow): AttemptResponse {
    const { id, number, responseTimeMs, responseCode, responseHeaders, responseBody, errorKind, errorMessage } = row;
    const times = {
      startedAt: row.startedAt.toISOString(),
      responseTime: responseTimeMs,
      nextAttemptAt: shown(row.nextAttemptAt),
    };
    const request = AttemptRequestResponse.from(row, delivery);
    return {
      id,
      number,
      ...times,
      ...(request ? { request } : {}),
      responseCode,
      responseHeaders,
      responseBody,
      errorKind,
      errorMessage,
    };
  }
}

/** What a delivery carries. */
export class DeliveryPayloadResponse {
  @ApiProperty({
    description:
      '`original`: as it was signed and sent. `redacted`: personal data was taken out since, after a user was deleted for good; the signatures shown are of the original. `removed`: its event is past its retention. `withheld`: this caller may not read events.',
    enum: PAYLOAD_STATES,
    example: 'original',
  })
  state!: DeliveryPayload['state'];
  @ApiProperty({
    description: 'The body to the byte, which signatures are made over; null when it is removed or withheld.',
    type: 'string',
    nullable: true,
    example: '{"id":"evt_01kf2bgwd8f5m2q7r4x1v9b3ht","type":"user.created","timestamp":"2026-01-15T10:00:00.000Z"}',
  })
  body!: string | null;
}

/** An attempt to come, unless an earlier one succeeds. */
export class ScheduledAttemptResponse {
  @ApiProperty({ description: 'From 1.', type: 'integer', example: 2 }) number!: number;
  @ApiProperty({ ...moment, description: 'When it is due; null for all but the next, and while the delivery is held back.' })
  at!: string | null;
  @ApiProperty({
    description: 'How long after the end of the attempt before it, in seconds; null for the next one.',
    type: 'number',
    nullable: true,
    example: null,
  })
  afterSeconds!: number | null;

  static from({ number, at, afterSeconds }: ScheduledAttempt): ScheduledAttemptResponse {
    return { number, at: shown(at), afterSeconds };
  }
}

/** A delivery with all that was and will be sent. */
export class DeliveryDetailsResponse extends DeliveryResponse {
  @ApiProperty({ type: DeliveryPayloadResponse }) payload!: DeliveryPayloadResponse;
  @ApiProperty({ description: 'In their order.', type: [AttemptResponse] }) attempts!: AttemptResponse[];
  @ApiProperty({ description: 'The attempts to come; empty once it is over.', type: [ScheduledAttemptResponse] })
  schedule!: ScheduledAttemptResponse[];

  static of({ delivery, attempts, payload, schedule }: DeliveryDetails): DeliveryDetailsResponse {
    return {
      ...DeliveryResponse.from(delivery),
      payload,
      attempts: attempts.map((row) => AttemptResponse.from(row, delivery)),
      schedule: schedule.map((attempt) => ScheduledAttemptResponse.from(attempt)),
    };
  }
}
