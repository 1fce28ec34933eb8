import { ApiProperty } from '@nestjs/swagger';
import { type Actor, ACTOR_TYPES } from '#platform/common';
import { listResponse, Pagination } from '#platform/http';
import { EVENT_TYPES, type EventPayload, EVENTS } from '#platform/events';
import type { EventPage, LoggedEvent } from './event-log.query.js';

const ACTOR_NAME = 'Name of the API key, platform key or SCIM connection at the time of the event.';
const ACTOR_LAST4 = 'Last characters of the API key or platform key.';
const ACTOR_PLATFORM = 'True for a platform key and for an operator. Absent for other actors.';
const TIME_EXAMPLE = '2026-01-15T10:00:00.000Z';

export class EventOrganizationResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({
    description: 'Name of the organization at the time of the event. Empty if the event is redacted.',
    example: 'Acme',
  })
  name!: string;
}

export class EventActorClientResponse {
  @ApiProperty({ example: 'app_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'Billing' }) name!: string;
}

export class EventImpersonatorResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xz' }) id!: string;
}

export class EventActorResponse {
  @ApiProperty({
    description:
      '`user`: a user. `api`: an API key, a platform key, a machine client (OAuth), or an operator in an operator session. `setup_link`: a person with a setup link. `scim`: a SCIM connection. `system`: the service itself. `anonymous`: a request without valid credentials, such as a failed sign-in; `metadata.ipAddress` is its address.',
    enum: ACTOR_TYPES,
    example: 'user',
  })
  type!: string;
  @ApiProperty({ required: false, example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id?: string;
  @ApiProperty({ required: false, example: 'ada@example.com' }) email?: string;
  @ApiProperty({ description: ACTOR_NAME, required: false, example: 'backend' }) name?: string;
  @ApiProperty({ description: ACTOR_LAST4, required: false, example: 'x7Qd' }) last4?: string;
  @ApiProperty({ description: ACTOR_PLATFORM, required: false, example: true }) platform?: boolean;
  @ApiProperty({
    description: 'The OAuth client that acted for the user, or the machine client.',
    type: EventActorClientResponse,
    required: false,
  })
  client?: EventActorClientResponse;
  @ApiProperty({
    description:
      'Present if the access was passed on by token exchanges: all OAuth clients, from the one to which the first token was issued to `client`.',
    type: [EventActorClientResponse],
    required: false,
  })
  clientChain?: EventActorClientResponse[];
  @ApiProperty({
    description: 'The user who was signed in as the actor for support.',
    type: EventImpersonatorResponse,
    required: false,
  })
  impersonator?: EventImpersonatorResponse;
}

export class EventMetadataResponse {
  @ApiProperty({ required: false, example: '203.0.113.7' }) ipAddress?: string;
  @ApiProperty({ required: false, example: 'curl/8.5.0' }) userAgent?: string;
  @ApiProperty({
    description:
      'Id of the API key, platform key or machine client that sent `ipAddress` and `userAgent` of the end user in `Client-Address` and `Client-User-Agent`.',
    required: false,
    example: 'key_01kf2b9d2ahf4m8q1v5x7t3c6z',
  })
  forwardedBy?: string;
  @ApiProperty({ description: 'Where the request came from.', enum: ['api', 'dashboard', 'system'], example: 'api' })
  source!: string;
  @ApiProperty({ description: 'Id of the request that caused the event.', example: 'req_01kf2bj5nyf3k7t9w1m4c8x6vd' })
  requestId!: string;
}

/** An event of the log: the payload that webhooks receive, with its position in the log. */
export class EventResponse {
  @ApiProperty({ example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' }) id!: string;

  @ApiProperty({
    description:
      'Position in the event log of the tenant, which contains the events of all organizations of the tenant. Positions have no gaps and never change.',
    type: 'integer',
    example: 4711,
  })
  position!: number;

  @ApiProperty({ enum: EVENT_TYPES, example: 'role.assigned' }) type!: string;
  @ApiProperty({ description: 'Time of the event.', format: 'date-time', example: TIME_EXAMPLE }) timestamp!: string;
  @ApiProperty({ type: EventOrganizationResponse }) organization!: EventOrganizationResponse;

  @ApiProperty({
    description:
      'Data of the event. The OpenAPI document contains the schema of each event type under `webhooks`. Empty if the event is redacted and is about a permanently deleted user.',
    type: 'object',
    additionalProperties: true,
    example: EVENTS['role.assigned'].example,
  })
  data!: object;

  @ApiProperty({ type: EventActorResponse, required: false }) actor?: Actor;
  @ApiProperty({ type: EventMetadataResponse, required: false }) metadata?: EventPayload['metadata'];

  @ApiProperty({
    description: 'Hash of the event in the hash chain of the tenant, in hexadecimal. Null until it is computed.',
    type: 'string',
    nullable: true,
    example: '9f2c0a4be1d8c37a5f6e9d01b2c4a3f8e7d6c5b4a39281706f5e4d3c2b1a0918',
  })
  chainHash!: string | null;

  @ApiProperty({
    description:
      'Time at which personal data was removed from the event, because a user was permanently deleted. Null if the event is not redacted.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  redactedAt!: string | null;

  static from({ position, payload, chainHash, redactedAt }: LoggedEvent): EventResponse {
    const { id, type, ...rest } = JSON.parse(payload) as EventPayload;
    return {
      id,
      position: Number(position),
      type,
      ...rest,
      chainHash: chainHash?.toString('hex') ?? null,
      redactedAt: redactedAt?.toISOString() ?? null,
    };
  }
}

export class EventPagination extends Pagination {
  @ApiProperty({
    description:
      'With `search`, the newest 50,000 events that match the other filters are searched, and `total` counts their matches. If there are older events, this is the position of the newest of them: to search them, send it as `toPosition`. Otherwise null.',
    type: 'integer',
    nullable: true,
    example: null,
  })
  nextToPosition!: number | null;
}

export interface EventListResponse {
  data: EventResponse[];
  pagination: EventPagination;
}

export function eventListResponse(page: EventPage): EventListResponse {
  const { data, pagination } = listResponse(page, (event) => EventResponse.from(event));
  const { nextToPosition } = page;
  return { data, pagination: { ...pagination, nextToPosition: nextToPosition === null ? null : Number(nextToPosition) } };
}
