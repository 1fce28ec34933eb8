import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock, newId, type OrganizationScope, ownerFor, type RequestContext, setupLinkOf } from '#platform/common';
import { constantTimeEqual } from '#platform/crypto';
import { SERVICE_FORMAT } from '#webhooks/formats';
import { generateWebhookSecret } from './signing-secret.js';
import { unmaskedHeaders, type WebhookInput, WebhookInputCheck, type WebhookPatch } from './webhook-input.js';
import { maskedSecret, WebhookSecrets } from './webhook-secrets.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookDetails } from './webhook-details.query.js';
import type { NewWebhook, WebhookChanges } from './webhook.repository.js';

/** Converts the input of a request to the columns of a webhook. Applies defaults, encrypts secrets, and omits unchanged values. */
@Injectable()
export class WebhookDraftsService {
  constructor(
    private readonly inputs: WebhookInputCheck,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * Asserts that deliveries to the URL can be sent. Never call it in a transaction, because it resolves the host of the URL.
   * @throws InvalidRequest
   */
  async assertSendable({ url, headers }: Pick<WebhookInput, 'url' | 'headers'>): Promise<void> {
    if (headers) this.inputs.assertHeaders(headers);
    await this.inputs.assertDestination(url);
  }

  draft(ctx: RequestContext, organization: OrganizationScope, input: WebhookInput): { webhook: NewWebhook; secret: string } {
    const id = newId('webhook');
    const secret = input.secret ?? generateWebhookSecret();
    const now = this.clock.now();
    const enabled = input.enabled ?? true;
    const webhook: NewWebhook = {
      tenantId: organization.tenantId,
      id,
      organizationId: organization.id,
      name: input.name ?? new URL(input.url).host,
      url: input.url,
      format: input.format ?? SERVICE_FORMAT,
      events: input.events,
      enabled,
      disabledBy: enabled ? null : 'hand',
      disabledAt: enabled ? null : now,
      includeDescendants: input.includeDescendants ?? false,
      filter: input.filter ?? null,
      rateLimit: input.rateLimit ?? null,
      setupLinkId: setupLinkOf(ctx),
      secretSealed: this.sealSecret(id, secret),
      nextSecretSealed: null,
      nextSecretAt: null,
      headersSealed: this.secrets.sealHeaders(id, input.headers ?? {}),
      ...ownerFor(ctx.caller),
      flag: null,
      flaggedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    return { webhook, secret };
  }

  /** Encrypts a secret. Default: a new random secret. */
  sealSecret(webhookId: string, secret: string = generateWebhookSecret()): string {
    return this.secrets.sealSecret(webhookId, secret);
  }

  /** Returns the columns that a request changes. @throws InvalidRequest for headers that can't be sent */
  changesOf(webhook: Webhook, details: WebhookDetails, patch: WebhookPatch): Omit<WebhookChanges, 'updatedAt'> {
    const { name, url, format, events, includeDescendants, filter, rateLimit } = patch;
    const changedFields = Object.entries({ name, url, format, events, includeDescendants, filter, rateLimit }).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, webhook[field as keyof Webhook]),
    );
    return {
      ...(Object.fromEntries(changedFields) as Partial<Webhook>),
      ...this.changesOfEnabled(webhook, patch.enabled),
      ...this.changesOfSecret(webhook, details, patch.secret),
      ...this.changesOfHeaders(webhook, patch.headers),
    };
  }

  /**
   * Returns the changes of `enabled`. If failures already disabled the webhook, disabling it is a change, after which pending
   * deliveries are skipped.
   */
  private changesOfEnabled(webhook: Webhook, enabled: boolean | undefined): Partial<WebhookChanges> {
    if (enabled === undefined) return {};
    if (enabled) return webhook.enabled ? {} : { enabled, disabledBy: null, disabledAt: null };
    return webhook.disabledBy === 'hand' ? {} : { enabled, disabledBy: 'hand', disabledAt: this.clock.now() };
  }

  /** Returns the changes of the secret. A new secret takes effect immediately and ends a rotation. The masked secret is ignored. */
  private changesOfSecret(
    webhook: Webhook,
    { nextSecretInForce }: WebhookDetails,
    secret: string | undefined,
  ): Partial<WebhookChanges> {
    if (secret === undefined) return {};
    const { current } = this.secrets.openAll({ ...webhook, nextSecretInForce });
    if ([current, maskedSecret(current)].some((unchanged) => constantTimeEqual(secret, unchanged))) return {};
    return { secretSealed: this.sealSecret(webhook.id, secret), nextSecretSealed: null, nextSecretAt: null };
  }

  private changesOfHeaders(webhook: Webhook, requested: WebhookPatch['headers']): Partial<WebhookChanges> {
    if (requested === undefined) return {};
    const previous = this.secrets.openHeaders(webhook.id, webhook.headersSealed);
    const headers = unmaskedHeaders(requested, previous);
    this.inputs.assertHeaders(headers);
    return isDeepStrictEqual(headers, previous) ? {} : { headersSealed: this.secrets.sealHeaders(webhook.id, headers) };
  }
}
