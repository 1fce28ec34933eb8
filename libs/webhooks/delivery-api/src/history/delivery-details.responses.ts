import { ApiProperty } from '@nestjs/swagger';
import { restoredHeaders, type ScheduledAttempt } from '#webhooks/delivery';
import { FORMAT_NAMES, SERVICE_FORMAT } from '#webhooks/formats';
import { type DeliveryDetails, type DeliveryPayload, PAYLOAD_STATES, type SentAttempt } from './delivery-details.service.js';
import { DeliveryResponse, nullableTime, isoOrNull, TIME_EXAMPLE } from './delivery-history.responses.js';
import type { DeliveryRow } from './delivery-history.query.js';

/** URL and headers of the request of an attempt. */
export class AttemptRequestResponse {
  @ApiProperty({
    description: 'URL of the webhook at the time of the attempt.',
    format: 'uri',
    example: 'https://example.com/hooks',
  })
  url!: string;
  @ApiProperty({
    description: 'Request headers, including the signatures. The values of custom headers are masked.',
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
  @ApiProperty({
    description: 'Format of the webhook at the time of the attempt.',
    enum: FORMAT_NAMES,
    example: SERVICE_FORMAT,
  })
  format!: string;
  @ApiProperty({
    description:
      'Body of the request. For the format `set`, the claims of the token, without its signature. If personal data was removed from the payload, the body does not contain it either. Null in the format `service`, in which the payload is the body, and if the payload is not returned.',
    type: 'string',
    nullable: true,
    example: null,
  })
  body!: string | null;

  static from(
    { requestUrl, requestHeaders, requestFormat, requestBody }: SentAttempt,
    { eventId, sequence }: DeliveryRow,
  ): AttemptRequestResponse | undefined {
    if (requestUrl === null || requestHeaders === null) return undefined;
    const headers = restoredHeaders(requestHeaders, eventId, sequence);
    return { url: requestUrl, headers, format: requestFormat ?? SERVICE_FORMAT, body: requestBody };
  }
}

/** One request to the destination. */
export class AttemptResponse {
  @ApiProperty({ example: 'att_01kf2bgxm0f8t3v6y9c2n5q7ws' }) id!: string;
  @ApiProperty({ description: 'Number of the attempt, starting at 1.', type: 'integer', example: 1 }) number!: number;
  @ApiProperty({ description: 'Time at which the attempt started.', format: 'date-time', example: TIME_EXAMPLE })
  startedAt!: string;
  @ApiProperty({ description: 'Duration of the attempt in milliseconds.', type: 'integer', example: 143 }) responseTime!: number;
  @ApiProperty({
    description: 'Request of the attempt. Absent if the service could not send a request.',
    type: AttemptRequestResponse,
    required: false,
  })
  request?: AttemptRequestResponse;
  @ApiProperty({
    description: 'HTTP status of the response, or null if there was no response.',
    type: 'integer',
    nullable: true,
    example: 503,
  })
  responseCode!: number | null;
  @ApiProperty({
    description: 'Response headers, or null if there was no response.',
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { 'content-type': 'text/plain' },
  })
  responseHeaders!: Record<string, string> | null;
  @ApiProperty({
    description: 'First 16 KB of the response body, or null if there was no response.',
    type: 'string',
    nullable: true,
    example: 'try later',
  })
  responseBody!: string | null;
  @ApiProperty({
    description:
      'Kind of failure, or null if the attempt succeeded. `status`: the destination answered with a status other than 2xx.',
    type: 'string',
    nullable: true,
    example: 'status',
  })
  errorKind!: string | null;
  @ApiProperty({
    description: 'Description of the failure, or null if the attempt succeeded.',
    type: 'string',
    nullable: true,
    example: 'The destination answered 503.',
  })
  errorMessage!: string | null;
  @ApiProperty({
    ...nullableTime,
    description: 'Time of the next attempt, as scheduled after this attempt. Null if no further attempt was scheduled.',
  })
  nextAttemptAt!: string | null;

  static from(row: SentAttempt, delivery: DeliveryRow): AttemptResponse {
    const { id, number, responseTimeMs, responseCode, responseHeaders, responseBody, errorKind, errorMessage } = row;
    const times = {
      startedAt: row.startedAt.toISOString(),
      responseTime: responseTimeMs,
      nextAttemptAt: isoOrNull(row.nextAttemptAt),
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

/** The payload of a delivery. */
export class DeliveryPayloadResponse {
  @ApiProperty({
    description:
      '`original`: the payload is unchanged. `redacted`: personal data was removed from the payload because a user was permanently deleted. The signatures of earlier attempts still belong to the original payload. `removed`: the payload was removed because the retention period of the event is over. `withheld`: the caller does not have the permission `events:read`, so the payload is not returned.',
    enum: PAYLOAD_STATES,
    example: 'original',
  })
  state!: DeliveryPayload['state'];
  @ApiProperty({
    description:
      'Exact text of the event. In the format `service`, it is the body of the requests, and if `state` is `original`, the signatures are computed over this text. Null if `state` is `removed` or `withheld`.',
    type: 'string',
    nullable: true,
    example: '{"id":"evt_01kf2bgwd8f5m2q7r4x1v9b3ht","type":"user.created","timestamp":"2026-01-15T10:00:00.000Z"}',
  })
  body!: string | null;
}

/** A scheduled attempt, which is canceled if an earlier attempt succeeds. */
export class ScheduledAttemptResponse {
  @ApiProperty({ description: 'Number of the attempt, starting at 1.', type: 'integer', example: 2 }) number!: number;
  @ApiProperty({
    ...nullableTime,
    description:
      'Time of the attempt. Only the next attempt has a time, and only while the webhook is enabled. Otherwise, this field is null.',
  })
  at!: string | null;
  @ApiProperty({
    description:
      'Number of seconds between the failure of the previous attempt and this attempt. Null for the next attempt, which has `at` instead.',
    type: 'number',
    nullable: true,
    example: null,
  })
  afterSeconds!: number | null;

  static from({ number, at, afterSeconds }: ScheduledAttempt): ScheduledAttemptResponse {
    return { number, at: isoOrNull(at), afterSeconds };
  }
}

/** A delivery with its payload, its attempts and its schedule. */
export class DeliveryDetailsResponse extends DeliveryResponse {
  @ApiProperty({ type: DeliveryPayloadResponse }) payload!: DeliveryPayloadResponse;
  @ApiProperty({ description: 'Attempts, oldest first.', type: [AttemptResponse] }) attempts!: AttemptResponse[];
  @ApiProperty({
    description: 'Attempts that are still scheduled. Empty once the delivery is completed.',
    type: [ScheduledAttemptResponse],
  })
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
