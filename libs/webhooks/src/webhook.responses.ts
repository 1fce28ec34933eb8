import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OWNER_FLAGS } from '#memberships';
import { maskedHeaders, maskedSecret, type WebhookSecrets } from './webhook-secrets.js';
import type { PayloadFilter } from './payload-filter.js';
import { DISABLED_REASONS } from './webhook.entity.js';
import type { WebhookRow } from './webhooks.read.js';
import type { NewWebhook } from './webhooks.repository.js';

const ID_EXAMPLE = 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx';
const TIME_EXAMPLE = '2026-01-15T09:00:00.000Z';
const EVENTS_EXAMPLE = ['user.created', 'organization.*'];

/** A webhook just made, with its secret. */
export class CreatedWebhookResponse {
  @ApiProperty({ example: ID_EXAMPLE }) id!: string;
  @ApiProperty({ example: 'Billing' }) name!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/hooks' }) url!: string;
  @ApiProperty({ type: [String], example: EVENTS_EXAMPLE }) events!: string[];
  @ApiProperty({ example: true }) enabled!: boolean;
  @ApiProperty({ description: 'Signs every delivery.', example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }) secret!: string;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) createdAt!: string;

  static from({ id, name, url, events, enabled, createdAt }: NewWebhook, secret: string): CreatedWebhookResponse {
    return { id, name, url, events, enabled, secret, createdAt: createdAt.toISOString() };
  }
}

/** How a webhook's deliveries went. */
export class WebhookMetadataResponse {
  @ApiProperty({
    description: 'When something was last sent; absent before that.',
    format: 'date-time',
    required: false,
    example: TIME_EXAMPLE,
  })
  lastDelivery?: string;

  @ApiProperty({
    description: 'Which share of the attempts of the last 7 days succeeded, 0 to 1; absent without any.',
    minimum: 0,
    maximum: 1,
    required: false,
    example: 0.998,
  })
  successRate?: number;

  @ApiProperty({ description: 'Failed attempts in a row, until now.', type: 'integer', minimum: 0, example: 0 })
  failureCount!: number;
}

/** A webhook. Its secret and the values of its headers are masked. */
export class WebhookResponse {
  @ApiProperty({ example: ID_EXAMPLE }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'Billing' }) name!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/hooks' }) url!: string;
  @ApiProperty({ type: [String], example: EVENTS_EXAMPLE }) events!: string[];
  @ApiProperty({ example: true }) enabled!: boolean;
  @ApiProperty({
    description:
      'Why it is off: by hand, after lasting failures, because the destination answered 410, or because it is flagged (`owner`). Null while it is on.',
    type: 'string',
    enum: [...DISABLED_REASONS, null],
    nullable: true,
    example: null,
  })
  disabledReason!: string | null;
  @ApiProperty({
    description: 'Since when it is off; null while it is on.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  disabledAt!: string | null;
  @ApiProperty({ description: 'Masked; the whole one is at `…/secret`.', example: 'whsec_…b7oD' }) secret!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Names, with masked values.',
    example: { authorization: '********' },
  })
  headers!: Readonly<Record<string, string>>;
  @ApiProperty({ example: false }) includeDescendants!: boolean;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The condition that the `data` of an event must meet; absent where there is none.',
    example: { status: 'active' },
  })
  filter?: PayloadFilter;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    description: 'How many deliveries a second may be begun; absent without a limit.',
    example: 50,
  })
  rateLimit?: number;
  @ApiProperty({
    description: 'The user who created it, or last changed what is sent, and where to; null where the platform did.',
    type: 'string',
    nullable: true,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  ownerId!: string | null;
  @ApiProperty({
    description: 'Set while the owner is suspended or deleted, or lacks the permission `events:read`; noticed within a minute.',
    type: 'string',
    enum: [...OWNER_FLAGS, null],
    nullable: true,
    example: null,
  })
  flag!: string | null;
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null }) flaggedAt!: string | null;
  @ApiProperty({ type: WebhookMetadataResponse }) metadata!: WebhookMetadataResponse;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) updatedAt!: string;

  static from(row: WebhookRow, secrets: WebhookSecrets): WebhookResponse {
    return {
      id: row.id,
      organizationId: row.organizationId,
      name: row.name,
      url: row.url,
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

/** A webhook's signing secret. */
export class WebhookSecretResponse {
  @ApiProperty({ description: 'Signs deliveries now.', example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }) secret!: string;
  @ApiProperty({
    description: 'While the secret is being replaced: the one that takes over at `activatesAt`. Else null.',
    type: 'string',
    nullable: true,
    example: null,
  })
  nextSecret!: string | null;
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null }) activatesAt!: string | null;

  static from(row: WebhookRow, secrets: WebhookSecrets): WebhookSecretResponse {
    const { current, next } = secrets.openAll(row);
    return {
      secret: current,
      nextSecret: next ?? null,
      activatesAt: next === undefined ? null : (row.nextSecretAt?.toISOString() ?? null),
    };
  }
}

function metadataOf({ lastDeliveryAt, succeeded, failed, consecutiveFailures }: WebhookRow): WebhookMetadataResponse {
  const attempts = succeeded + failed;
  return {
    ...(lastDeliveryAt ? { lastDelivery: lastDeliveryAt.toISOString() } : {}),
    ...(attempts > 0 ? { successRate: Math.round((succeeded / attempts) * 10_000) / 10_000 } : {}),
    failureCount: consecutiveFailures,
  };
}
