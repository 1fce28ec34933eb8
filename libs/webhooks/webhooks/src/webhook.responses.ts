import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { choiceOrNull } from '#platform/http';
import { OWNER_FLAGS } from '#directory/memberships';
import { FORMAT_NAMES, SERVICE_FORMAT } from '#webhooks/formats';
import { maskedHeaders, maskedSecret, type WebhookSecrets } from './webhook-secrets.js';
import type { PayloadFilter } from './payload-filter.js';
import { DISABLED_REASONS } from './webhook.entity.js';
import type { WebhookDetails } from './webhook-details.query.js';
import type { NewWebhook } from './webhook.repository.js';

const ID_EXAMPLE = 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx';
const TIME_EXAMPLE = '2026-01-15T09:00:00.000Z';
const EVENTS_EXAMPLE = ['user.created', 'organization.*'];

/** A new webhook, with its full signing secret. */
export class CreatedWebhookResponse {
  @ApiProperty({ example: ID_EXAMPLE }) id!: string;
  @ApiProperty({ example: 'Billing' }) name!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/hooks' }) url!: string;
  @ApiProperty({
    description: 'Event types that are sent: single types, groups such as `user.*`, or `*` for all types except `webhook.*`.',
    type: [String],
    example: EVENTS_EXAMPLE,
  })
  events!: string[];
  @ApiProperty({ example: true }) enabled!: boolean;
  @ApiProperty({ description: 'Signing secret.', example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }) secret!: string;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) createdAt!: string;

  static from({ id, name, url, events, enabled, createdAt }: NewWebhook, secret: string): CreatedWebhookResponse {
    return { id, name, url, events, enabled, secret, createdAt: createdAt.toISOString() };
  }
}

export class WebhookFailureResponse {
  @ApiProperty({ description: 'The kind of error, as in the attempts of deliveries.', example: 'status' }) errorKind!: string;

  @ApiProperty({
    description: 'Status code of the response. Null if there was no response.',
    type: 'integer',
    nullable: true,
    example: 500,
  })
  responseCode!: number | null;
}

export class WebhookMetadataResponse {
  @ApiProperty({
    description: 'Time of the last delivery attempt. Absent if nothing has been sent yet.',
    format: 'date-time',
    required: false,
    example: TIME_EXAMPLE,
  })
  lastDelivery?: string;

  @ApiProperty({
    description: 'Share of successful attempts in the last 7 days, from 0 to 1. Absent if there were no attempts.',
    minimum: 0,
    maximum: 1,
    required: false,
    example: 0.998,
  })
  successRate?: number;

  @ApiProperty({ description: 'Number of consecutive failed attempts.', type: 'integer', minimum: 0, example: 0 })
  failureCount!: number;

  @ApiProperty({
    description:
      'Time of the first of the consecutive failed attempts, or of the first failed attempt since the webhook was enabled. Absent if the last attempt succeeded.',
    format: 'date-time',
    required: false,
    example: TIME_EXAMPLE,
  })
  failingSince?: string;

  @ApiProperty({ description: 'The last failed attempt. Absent if the last attempt succeeded.', required: false })
  lastFailure?: WebhookFailureResponse;
}

/** A webhook, with its signing secret and the values of its custom headers masked. */
export class WebhookResponse {
  @ApiProperty({ example: ID_EXAMPLE }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'Billing' }) name!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/hooks' }) url!: string;
  @ApiProperty({ description: 'Format in which events are sent.', enum: FORMAT_NAMES, example: SERVICE_FORMAT })
  format!: string;
  @ApiProperty({
    description: 'Event types that are sent: single types, groups such as `user.*`, or `*` for all types except `webhook.*`.',
    type: [String],
    example: EVENTS_EXAMPLE,
  })
  events!: string[];
  @ApiProperty({ example: true }) enabled!: boolean;
  @ApiProperty({
    description:
      'Why the webhook is disabled, or null if it is enabled. `hand`: a request disabled the webhook with `enabled: false`. `failures`: all attempts failed for 5 days. `gone`: the destination answered the final attempt of a delivery with 410. `owner`: the webhook is flagged, and the setting `disableFlaggedWebhooks` is enabled.',
    ...choiceOrNull(DISABLED_REASONS),
    example: null,
  })
  disabledReason!: string | null;
  @ApiProperty({
    description: 'Time at which the webhook was disabled, or null if it is enabled.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  disabledAt!: string | null;
  @ApiProperty({ description: 'Masked signing secret. `GET …/{id}/secret` returns the full secret.', example: 'whsec_…b7oD' })
  secret!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Custom headers, with masked values.',
    example: { authorization: '********' },
  })
  headers!: Readonly<Record<string, string>>;
  @ApiProperty({ description: 'Whether events of descendant organizations are sent, too.', example: false })
  includeDescendants!: boolean;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Condition on the `data` of events. Only events that match the condition are sent. Absent if there is no filter.',
    example: { status: 'active' },
  })
  filter?: PayloadFilter;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    description: 'Maximum number of delivery attempts that start per second. Absent if there is no limit.',
    example: 50,
  })
  rateLimit?: number;
  @ApiProperty({
    description:
      'Id of the user who is responsible for the webhook. A user becomes the owner by creating the webhook, by enabling it, or by changing its `url`, `headers`, `events`, `filter` or `includeDescendants`. If an API key makes such a request, the owner of the API key becomes the owner of the webhook. Null if the last such request was made with a platform key.',
    type: 'string',
    nullable: true,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  ownerId!: string | null;
  @ApiProperty({
    description:
      'Problem with the owner of the webhook, or null if there is no problem. `owner_suspended`: the owner is suspended. `owner_deleted`: the owner is deleted. `permissions_lost`: the owner no longer has the permission `events:read`. The service updates this field within one minute.',
    ...choiceOrNull(OWNER_FLAGS),
    example: null,
  })
  flag!: string | null;
  @ApiProperty({
    description: 'Time at which the webhook was flagged, or null if it is not flagged.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  flaggedAt!: string | null;
  @ApiProperty({ type: WebhookMetadataResponse }) metadata!: WebhookMetadataResponse;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) updatedAt!: string;

  static from(row: WebhookDetails, secrets: WebhookSecrets): WebhookResponse {
    return {
      id: row.id,
      organizationId: row.organizationId,
      name: row.name,
      url: row.url,
      format: row.format,
      events: row.events,
      enabled: row.enabled,
      disabledReason: row.enabled ? null : row.disabledBy,
      disabledAt: row.enabled ? null : (row.disabledAt?.toISOString() ?? null),
      secret: maskedSecret(secrets.openAll(row).current),
      headers: maskedHeaders(secrets.openHeaders(row.id, row.headersSealed)),
      includeDescendants: row.includeDescendants,
      ...(row.filter ? { filter: row.filter } : {}),
      ...(row.rateLimit === null ? {} : { rateLimit: row.rateLimit }),
      ownerId: row.ownerId,
      flag: row.flag,
      flaggedAt: row.flaggedAt?.toISOString() ?? null,
      metadata: metadataOf(row),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

export class WebhookSecretResponse {
  @ApiProperty({ description: 'Current signing secret.', example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }) secret!: string;
  @ApiProperty({
    description: 'Signing secret that takes effect at `activatesAt`, or null if no rotation is scheduled.',
    type: 'string',
    nullable: true,
    example: null,
  })
  nextSecret!: string | null;
  @ApiProperty({
    description: 'Time at which `nextSecret` takes effect, or null if no rotation is scheduled.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  activatesAt!: string | null;

  static from(row: WebhookDetails, secrets: WebhookSecrets): WebhookSecretResponse {
    const { current, next } = secrets.openAll(row);
    return {
      secret: current,
      nextSecret: next ?? null,
      activatesAt: next === undefined ? null : (row.nextSecretAt?.toISOString() ?? null),
    };
  }
}

function metadataOf(webhook: WebhookDetails): WebhookMetadataResponse {
  const { lastDeliveryAt, succeeded, failed, consecutiveFailures, failingSince, failureKind, failureCode } = webhook;
  const attempts = succeeded + failed;
  return {
    ...(lastDeliveryAt ? { lastDelivery: lastDeliveryAt.toISOString() } : {}),
    ...(attempts > 0 ? { successRate: Math.round((succeeded / attempts) * 10_000) / 10_000 } : {}),
    failureCount: consecutiveFailures,
    ...(failingSince ? { failingSince: failingSince.toISOString() } : {}),
    ...(failureKind === null ? {} : { lastFailure: { errorKind: failureKind, responseCode: failureCode } }),
  };
}
